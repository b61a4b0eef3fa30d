import { AppError, badRequest, invalid } from '../../kernel/errors.ts'

/** For `catch`: names a refused parameter by the option it was given with. */
export function namingOptions(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  const { reason, message, details } = error
  const path = String(details['path'] ?? '')
  if (reason === 'input_invalid' && path !== '' && message.startsWith(`${path}: `)) {
    const option = optionOf(path.replace(/^query\./, ''))
    throw badRequest('input_invalid', `${option}${message.slice(path.length)}`, { path: option })
  }
  if (reason !== 'mapping_invalid') throw error
  const { column_mapping: whole, ...columns } = details['fields'] as Readonly<Record<string, string>>
  throw invalid('mapping_invalid', whole === undefined ? columns : { [optionOf('column_mapping')]: whole, ...columns })
}

const optionOf = (parameter: string): string => `--${parameter === 'column_mapping' ? 'map' : parameter}`
