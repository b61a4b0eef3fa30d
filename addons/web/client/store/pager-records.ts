import type { WireDomain } from '../../../../kernel/view/wire.ts'

/** The records one was looking at before opening one of them, in order: what previous and next go through. */
export interface PagerRecords {
  readonly model: string
  /** Some of them, one after the other. */
  readonly ids: readonly number[]
  /** Place of the first of `ids` among all. */
  readonly offset: number
  readonly total: number
  /** Finds all of them. */
  readonly domain: WireDomain
  /** As `search_read` takes it; empty is the model's own. */
  readonly order: string
}

const KEY = 'wc:walk'
/** Enough for any page of a list; more is asked for as one goes. */
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

/** The walk this record is part of; null when one came another way. */
export function findPagerRecords(model: string, id: number): PagerRecords | null {
  current ??= readPagerRecords()
  return current?.model === model && current.ids.includes(id) ? current : null
}

function readPagerRecords(): PagerRecords | null {
  try {
    const text = sessionStorage.getItem(KEY)
    // Only `rememberWalk` writes under this key.
    return text === null ? null : (JSON.parse(text) as PagerRecords)
  } catch {
    return null
  }
}
