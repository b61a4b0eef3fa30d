import { useEffect, useState } from 'preact/hooks'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { isAbort } from '../../../net/errors.ts'
import type { Row } from '../../../net/rpc.ts'
import { services } from '../../../services.ts'
import type { TextsPanelProps } from './texts-panel.tsx'

const PAGE_ROWS = 80

export interface ShownTexts {
  /** Null until the first answer. */
  readonly rows: readonly Row[] | null
  readonly error: unknown
  readonly hasMore: boolean
  reload(): void
  loadMore(): void
}

/** In calls in English, the name of the field means the English text. */
export const ENGLISH = { lang: 'en' } as const

/**
 * The matching texts by id: a text that is translated now keeps its place until another page is opened, and the next page begins after
 * the last row whatever was translated meanwhile.
 */
export function useTexts({ field, lang, q, isAll }: Omit<TextsPanelProps, 'onSaved'>): ShownTexts {
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [hasMore, setMore] = useState(false)
  const [round, setRound] = useState(0)

  async function load(known: readonly Row[], signal?: AbortSignal): Promise<void> {
    const own = `${field.field}@${lang}`
    const domain: WireDomain = [
      [field.field, '!=', false],
      ['id', '>', known.at(-1)?.id ?? 0],
      ...(isAll ? [] : [[own, '=', false] as const]),
      ...(q === '' ? [] : ['|' as const, [field.field, 'ilike', q] as const, [own, 'ilike', q] as const]),
    ]
    const kwargs = { ...ENGLISH, order: 'id', limit: PAGE_ROWS + 1, archived: 'include' }
    const found = await services().rpc.call<readonly Row[]>(
      field.model,
      'search_read',
      [domain, [field.field, own]],
      kwargs,
      signal && { signal },
    )
    setRows([...known, ...found.slice(0, PAGE_ROWS)])
    setMore(found.length > PAGE_ROWS)
    setError(null)
  }

  useEffect(() => {
    const own = new AbortController()
    load([], own.signal).catch((problem) => isAbort(problem) || setError(problem))
    return () => own.abort()
  }, [round])

  return {
    rows,
    error,
    hasMore,
    reload: () => setRound(round + 1),
    loadMore: () => void load(rows ?? []).catch(setError),
  }
}
