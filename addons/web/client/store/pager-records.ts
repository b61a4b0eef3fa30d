import type { WireDomain } from '../../../../kernel/view/wire.ts'

/** The records of the list from which a form was opened, in order: previous and next go through them. */
export interface PagerRecords {
  readonly model: string
  /** A consecutive part of them. */
  readonly ids: readonly number[]
  /** Position of the first of `ids` among all of them. */
  readonly offset: number
  /** Null if `ids` are only some of them, with gaps, as in columns of which more can be loaded. */
  readonly total: number | null
  /** The domain that finds all of them. */
  readonly domain: WireDomain
  /** As `search_read` takes it; empty means the model's default order. */
  readonly order: string
}

const KEY = 'wc:walk'
/** Enough for a page of a list; the form loads more when it needs them. */
const MAX_IDS = 500

let current: PagerRecords | null = null

/** Called by views of many records whenever what they show changes. Survives a reload. */
export function rememberPagerRecords(walk: PagerRecords): void {
  current = { ...walk, ids: walk.ids.slice(0, MAX_IDS) }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Storage may be full or switched off; then it lasts as long as the page.
  }
}

/** The records this one is part of; null when the form was not opened from a list. */
export function findPagerRecords(model: string, id: number): PagerRecords | null {
  current ??= readPagerRecords()
  return current?.model === model && current.ids.includes(id) ? current : null
}

function readPagerRecords(): PagerRecords | null {
  try {
    const text = sessionStorage.getItem(KEY)
    // Only `rememberPagerRecords` writes under this key.
    return text === null ? null : (JSON.parse(text) as PagerRecords)
  } catch {
    return null
  }
}
