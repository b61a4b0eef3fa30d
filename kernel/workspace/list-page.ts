import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import { readRule } from '../orm/record/plan.ts'
import { countAhead, countRecords, searchJson } from '../orm/record/search.ts'
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

/**
 * One page of records and the total. If the page is not full, the total follows from it. Where it is likely to be full, the records are
 * counted in its round trip, just before it; elsewhere, such as for a search or under a rule for own records, they are only counted if
 * need be. Records that appear in between are on the page, so the total is at least that large.
 */
export async function loadPage(
  env: Env,
  model: Model,
  { domain, fields, order, limit, offset }: Omit<ContentQuery, 'root' | 'access'>,
): Promise<Content> {
  const isFullLikely = domain.length === 0 && (offset > 0 || isWidelyReadable(env, model))
  const along = isFullLikely ? await countAhead(env, model, counted(domain)) : undefined
  const { records, count } = await searchJson(env, model, { domain, fields, order, limit, offset }, along)
  const isLast = count < limit && (count > 0 || offset === 0)
  if (isLast) return { records, total: offset + count, isExact: true }
  const { total, isExact } = along ? totalOf(along.count()) : await countMatches(env, model, domain)
  return { records, total: count === 0 ? total : Math.max(total, offset + count), isExact }
}

/** A rule with other values than ids of companies, such as that of own records, may leave only few. */
const isWidelyReadable = (env: Env, model: Model): boolean => readRule(env, model).hasGenericPlan

export async function countMatches(
  env: Env,
  model: Model,
  domain: WireDomain,
): Promise<Pick<Content, 'total' | 'isExact'>> {
  return totalOf(await countRecords(env, model, counted(domain)))
}

const counted = (domain: WireDomain) => ({ domain, limit: LIMITS.listTotal + 1 })

const totalOf = (count: number) => ({ total: Math.min(count, LIMITS.listTotal), isExact: count <= LIMITS.listTotal })

/** Records always have an id; the ORM's type does not express that. */
export const wireRecords = (records: readonly object[]) => records as readonly WireRecord[]
