import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import { countRecords, searchJson } from '../orm/record/search.ts'
import type { WrittenJson } from '../sql/json-rows.ts'
import type { ArchNode } from '../view/arch/arch.ts'
import type { WireAccess, WireDomain, WireRecord } from '../view/wire.ts'

/** Which records a view shows and how. */
export interface ContentQuery {
  /** The domains of the action, the filters and the search together. */
  readonly domain: WireDomain
  readonly fields: readonly string[]
  /** In the ORM's syntax; empty: the model's default order. */
  readonly order: string
  readonly limit: number
  readonly offset: number
  readonly root: ArchNode
  readonly access: WireAccess
}

export interface Content {
  readonly records: readonly WireRecord[] | WrittenJson
  /** Records that match; where `isExact` is false, as many as are known. */
  readonly total: number
  /** False when counting stopped at `LIMITS.listTotal`. */
  readonly isExact: boolean
}

/** One page of records and the total. If the page is not full, the total follows from it, which saves a statement. */
export async function loadPage(env: Env, model: Model, query: ContentQuery): Promise<Content> {
  const { domain, fields, order, limit, offset } = query
  const { records, count } = await searchJson(env, model, { domain, fields, order, limit, offset })
  const isLast = count < limit && (count > 0 || offset === 0)
  if (isLast) return { records, total: offset + count, isExact: true }
  const { total, isExact } = await countMatches(env, model, domain)
  return { records, total: isExact ? total : Math.max(total, offset + count), isExact }
}

export async function countMatches(
  env: Env,
  model: Model,
  domain: WireDomain,
): Promise<Pick<Content, 'total' | 'isExact'>> {
  const count = await countRecords(env, model, { domain, limit: LIMITS.listTotal + 1 })
  return { total: Math.min(count, LIMITS.listTotal), isExact: count <= LIMITS.listTotal }
}

/** Records always have an id; the ORM's type does not express that. */
export const wireRecords = (records: readonly object[]) => records as readonly WireRecord[]
