import { badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { ReasonOf } from '../reasons.ts'
import type { DomainNode } from './ast.ts'
import type { Zone } from './zone.ts'

export interface ParseContext {
  readonly registry: Registry
  readonly now: Date
  /** Time zone of days and of relative dates. */
  readonly tz: string
  /**
   * Calls the `search` of a computed field, which returns an equivalent domain. Without it computed fields cannot be
   * searched.
   */
  readonly searchComputed?: (field: Field, operator: string, value: unknown) => readonly unknown[]
  /** Called with every field that the domain names, before any other error about it; may throw to refuse it. */
  readonly named?: ((model: string, field: Field) => void) | undefined
  /** Values of one list at most; default `LIMITS.domainValues`. */
  readonly maxValues?: number
}

/** Position in the wire form: indices from the root. */
export type DomainPosition = readonly number[]

/** A node and how deeply operators and relations nest in it. */
export interface Parsed {
  readonly node: DomainNode
  readonly depth: number
}

/** The state of one parse: its context, how much of the limits is used, and the parser for the domains inside `any`. */
export interface Parsing extends ParseContext {
  readonly zone: () => Zone
  readonly used: { leaves: number; days: number }
  list(parsing: Parsing, wire: unknown, model: Model, at: DomainPosition, hops: number): Parsed
}

/** A condition whose path has been followed to its last field. */
export interface Leaf {
  readonly parsing: Parsing
  readonly model: Model
  readonly field: Field
  readonly operator: string
  readonly value: unknown
  readonly at: DomainPosition
  /** Number of relations followed so far. */
  readonly hops: number
}

export function refuseDomain(
  at: DomainPosition,
  problem: string,
  reason: ReasonOf<'BAD_REQUEST'> = 'domain_invalid',
): never {
  throw badRequest(reason, `Domain${at.map((index) => `[${index}]`).join('')}: ${problem}.`, { position: at })
}

export const refusePath = ({ at }: Leaf, problem: string): never => refuseDomain([...at, 0], problem)
export const refuseOperator = ({ at }: Leaf, problem: string): never => refuseDomain([...at, 1], problem)
export const refuseValue = ({ at }: Leaf, problem: string, index?: number): never =>
  refuseDomain(index === undefined ? [...at, 2] : [...at, 2, index], problem)

export function requireFewValues(leaf: Leaf, count: number): void {
  const { maxValues = LIMITS.domainValues } = leaf.parsing
  if (count > maxValues) refuseValue(leaf, `more than ${maxValues} values`)
}
