import { parseDomainText } from '../../../../../kernel/domain/literal.ts'
import { t } from '../../core/i18n.ts'
import type { Parsed } from '../value/values.ts'

export const formatJson = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

export function parseJson(text: string): Parsed {
  if (text.trim() === '') return { value: null }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: t('This is not JSON: {reason}', { reason: reasonOf(error) }) }
  }
}

/** Validates the text of a domain; the value keeps the text as it was written. */
export function parseDomain(text: string): Parsed {
  if (text.trim() === '') return { value: null }
  try {
    parseDomainText(text)
    return { value: text }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
