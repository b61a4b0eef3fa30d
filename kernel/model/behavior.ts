import type { Env } from '../env.ts'
import type { AppError } from '../errors.ts'
import type { Sql } from '../sql/sql.ts'
import type { LinkCommand } from './fields/x2many.ts'
import type { Domain, FieldName, ModelName, Models, NeedRow, Path, Row, StoredValue, Values } from './models.ts'
import type { Model } from './registry.ts'
import type { ServerAction, ServerEvents } from './server-action.ts'

type Awaitable<T> = T | Promise<T>

/** How one field is computed. `run` gets all rows at once and returns a value per id. */
export interface ComputeDef<M extends ModelName, F extends string, N extends string = string> {
  readonly needs: readonly N[]
  /**
   * For a field computed on read: its needs hold all records, also those the reader may not see, and `run` acts under sudo.
   * Without it they hold what the reader may see. Stored fields always do.
   */
  readonly sudo?: true
  readonly run: (env: Env, rows: readonly NeedRow<M, N>[]) => Awaitable<ReadonlyMap<number, StoredValue<M, F>>>
  readonly inverse?: (env: Env, values: ReadonlyMap<number, StoredValue<M, F>>) => Awaitable<void>
  readonly search?: (env: Env, operator: string, value: unknown) => Domain<M>
}

/** A check of whole records, one by one or, if it queries, all at once; it returns one sentence per invalid field, or undefined. */
export interface CheckDef<M extends ModelName, N extends string = string> {
  readonly needs: readonly N[]
  readonly check?: (env: Env, row: NeedRow<M, N>) => Awaitable<Problems<M> | undefined>
  readonly checkAll?: (env: Env, rows: readonly NeedRow<M, N>[]) => Awaitable<Problems<M> | undefined>
}

type Problems<M extends ModelName> = Readonly<Partial<Record<FieldName<M>, string>>>

export interface OnchangeResult<M extends ModelName = ModelName> {
  readonly value?: Values<M>
  /** Values for lines of the form: by the field that holds them, then by their id, which is negative for one that is not saved. */
  readonly lines?: { readonly [F in FieldName<M>]?: ReadonlyMap<number, Readonly<Record<string, unknown>>> }
  readonly warnings?: readonly { readonly field?: string; readonly title: string; readonly message: string }[]
  readonly domains?: Readonly<Record<string, readonly unknown[]>>
}

/** The record being edited, as an onchange sees it: stored values, ids for relations, null where unset. */
export type Draft<M extends ModelName> = { readonly [F in keyof Models[M] & string]: StoredValue<M, F> } & {
  readonly id: number | null
}

/** The form an onchange belongs to. */
export interface Form<M extends ModelName> {
  /**
   * Its values, also through links: `['line_ids.name']`. Values come from the form, or from the database where the form has none. Records
   * that the caller may not read are left out, and fields that the caller may not read are unset.
   */
  readonly read: <N extends Path<M>>(needs: readonly N[]) => Promise<NeedRow<M, N>>
}

/** `notice` is a sentence that the client shows on the page it leads to. */
export type ActionResult = true | { readonly redirect: string; readonly notice?: string }

/**
 * An object action: a form button or the `call` method. `next` is the action of the addon it overrides. Throwing an error rolls back what
 * the action did; returning an error answers with it too, but commits what the action did.
 */
export type Action<M extends ModelName> = (
  env: Env,
  rows: readonly Row<M>[],
  vals: Readonly<Record<string, string>>,
  next: (rows: readonly Row<M>[]) => Promise<ActionResult | AppError>,
) => Awaitable<ActionResult | AppError | undefined | boolean>

/** Stored values of a tracked field before and after a transaction. */
export interface TrackedChange {
  readonly field: string
  readonly old: unknown
  readonly new: unknown
  /** Id of the currency of an amount, as the record has it after the transaction. */
  readonly currency?: number | null
}

/** A record before its INSERT: stored values with the defaults; x2many fields have their commands. */
export type NewValues<M extends ModelName> = {
  readonly [F in keyof Models[M] & string]?: StoredValue<M, F> extends number[] | null
    ? readonly LinkCommand[]
    : StoredValue<M, F>
}

/** Refuses changes by what the writing statement itself reads for each row, which saves the round trip of an event that reads it. */
export interface WriteGuard<M extends ModelName> {
  /** What to read for the row with an id, as it was before the write; null: this caller needs no check. */
  readonly reads: (env: Env) => ((id: Sql<number>) => Sql<unknown>) | null
  /** Gets the values read, one per record in any order. Throws if the records may not be changed like this. */
  readonly check: (env: Env, read: readonly unknown[], changed: ReadonlySet<FieldName<M>>) => void
}

export interface ModelEvents<M extends ModelName> {
  /** Before the INSERT, for all new records at once: for each, in the same order, the values to add or to replace. */
  readonly creating?: (env: Env, records: readonly NewValues<M>[]) => Awaitable<readonly Values<M>[]>
  readonly created?: (env: Env, ids: readonly number[]) => Awaitable<void>
  /** Before the rows change: sees the values that the write replaces. */
  readonly updating?: (env: Env, ids: readonly number[], changed: ReadonlySet<FieldName<M>>) => Awaitable<void>
  readonly guard?: WriteGuard<M>
  readonly updated?: (env: Env, ids: readonly number[], changed: ReadonlySet<FieldName<M>>) => Awaitable<void>
  /** Before records of another model unlink or link these, in a link table that `field` shows from this side. */
  readonly linking?: (env: Env, ids: readonly number[], field: FieldName<M>) => Awaitable<void>
  /** After records of another model have linked these. */
  readonly linked?: (env: Env, ids: readonly number[], field: FieldName<M>) => Awaitable<void>
  /** `owner`: the model whose records are deleted and take these with them by `ondelete: cascade`; null: the call names these. */
  readonly deleting?: (env: Env, ids: readonly number[], owner: string | null) => Awaitable<void>
  /**
   * Called once per transaction, just before its commit, with the changes of tracked fields. Created records are not
   * included.
   */
  readonly tracked?: (env: Env, changes: ReadonlyMap<number, readonly TrackedChange[]>) => Awaitable<void>
}

/** Attaches events to models that the addon does not name: called once per model when the registry is compiled. */
export type ModelObserver = (model: Pick<Model, 'name' | 'fields' | 'chatter'>) => ModelEvents<never> | undefined

/** The need paths of each computed field and check, as inferred by `behavior`. */
type ComputeNeeds<M extends ModelName> = { readonly [F in keyof Models[M] & string]?: Path<M> }
type CheckNeeds<M extends ModelName> = readonly Path<M>[]

export interface BehaviorOptions<
  M extends ModelName,
  C extends ComputeNeeds<M> = ComputeNeeds<M>,
  K extends CheckNeeds<M> = CheckNeeds<M>,
> {
  readonly computes?: { readonly [F in keyof C]: ComputeDef<M, F & keyof Models[M] & string, C[F] & Path<M>> }
  readonly checks?: { readonly [I in keyof K]: CheckDef<M, K[I]> }
  readonly onchange?: {
    readonly [F in keyof Models[M] & string]?: (
      env: Env,
      draft: Draft<M>,
      form: Form<M>,
    ) => Awaitable<OnchangeResult<M> | undefined>
  }
  readonly actions?: Readonly<Record<string, Action<M> | ServerAction>>
  /** By action, external ids of groups; a user needs one of them to run it, and sees no button for it without. */
  readonly actionGroups?: Readonly<Record<string, string | readonly string[]>>
  /**
   * By action, external ids of groups whose users may run it on every record they can read, even without the right to change it: for them
   * it runs under sudo.
   */
  readonly grantedActions?: Readonly<Record<string, string | readonly string[]>>
  /** Actions that only write fields of their own records, so that they can be undone by writing the old values. */
  readonly undoableActions?: readonly string[]
  /** By undoable action, the action that does the reverse: a user must be allowed to run that one to undo it. */
  readonly undoneBy?: Readonly<Record<string, string>>
  /** Actions that do their work without a record: a scheduled job may run them. */
  readonly scheduledActions?: readonly string[]
  readonly events?: ModelEvents<M>
  /** Server actions that run on record events, under sudo. */
  readonly on?: ServerEvents
}

export interface BehaviorDef<M extends string = string> {
  readonly kind: 'behavior'
  readonly model: M
  readonly options: BehaviorOptions<never>
}

/**
 * Attaches behaviour to a model. One owner per compute; checks, onchanges and events all run; actions last-wins. The rows of
 * a `run` or `check` are typed by its own `needs`, so code cannot use a field it did not declare.
 */
export function behavior<
  M extends ModelName,
  const C extends ComputeNeeds<M> = ComputeNeeds<M>,
  const K extends CheckNeeds<M> = CheckNeeds<M>,
>(model: M, options: BehaviorOptions<M, C, K>): BehaviorDef<M> {
  // The registry calls a behaviour only with rows of its own model; the erased type cannot express that.
  return Object.freeze({ kind: 'behavior' as const, model, options: options as unknown as BehaviorOptions<never> })
}

export const byId = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.id, row]))

export const ids = (rows: readonly { readonly id: number }[]): number[] => rows.map((row) => row.id)
