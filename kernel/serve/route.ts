import type { z } from 'zod'
import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import type { Answer } from '../http/respond.ts'
import { LIMITS } from '../limits.ts'
import type { Services } from '../services.ts'
import type { TransactionKind } from '../sql/transaction.ts'

/**
 * none: any caller. session: the cookie of a signed-in user. session-or-key: also an API key. signed: a program that sends the
 * signature of the route (`auth/signature.ts`) and acts for no user.
 */
export type AuthMode = Nobody | 'session' | 'session-or-key'

/** Modes without a caller. */
type Nobody = 'none' | 'signed'

/**
 * Where a unit of work runs. read: single statements on the primary. replica: single statements that a read replica may answer; the work
 * may then run twice. The others are transactions, see `sql.ts`.
 */
export type WorkKind = 'read' | 'replica' | TransactionKind

export type HttpMethod = 'GET' | 'POST'

/** One request on its way through the pipeline. */
export interface Exchange {
  readonly services: Services
  readonly request: Request
  /** Identifies the request in the log. */
  readonly requestId: string
  /** The id the caller supplied, which the answer repeats. */
  readonly suppliedId: string | null
  readonly startedAt: Date
  /** Network address of the caller, as far as the host knows it. */
  readonly address: string | null
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

/** What a handler gets. `caller` is there when the route authenticates, `env` when it asks for a unit of work. */
export interface Context<A extends AuthMode, T extends WorkKind | 'none', Q, B> extends Exchange {
  readonly caller: A extends Nobody ? null : Caller
  readonly env: T extends 'none' ? null : Env
  readonly query: Q
  readonly body: B
  /** The bytes of the body as received. */
  readonly rawBody: Uint8Array
}

/** A body: its schema and its maximum size. */
export interface BodyOptions<S extends z.ZodType> {
  readonly schema: S
  readonly limit: number
  /** Also accept forms; their `csrf_token` is checked and removed before the schema is applied. */
  readonly form?: boolean
  /** A form with a file, which the schema gets as `file`; read while it arrives. */
  readonly isUpload?: boolean
}

/** The body of a small form, or a JSON object with its fields. */
export const form = <S extends z.ZodType>(schema: S): BodyOptions<S> => ({
  schema,
  limit: LIMITS.formBodyBytes,
  form: true,
})

/** The body of a form with a file. */
export const upload = <S extends z.ZodType>(schema: S): BodyOptions<S> => ({
  schema,
  limit: LIMITS.uploadBodyBytes,
  isUpload: true,
})

interface RouteOptions<A extends AuthMode, T extends WorkKind | 'none', Q extends z.ZodType, B extends z.ZodType> {
  readonly method: HttpMethod
  readonly path: `/${string}`
  readonly auth: A
  /** The refusal for callers who are not administrators, given before their input is validated. */
  readonly forAdministrators?: string
  readonly tx: T
  readonly query?: Q
  readonly body?: BodyOptions<B>
  /** A GET that answers with a page, to which other sites may link. Requests from other sites to any other route are refused. */
  readonly isPage?: boolean
  /** Reads little, so that it may use the connections kept for authentication. */
  readonly isSmall?: boolean
  /** Has no effects outside its unit of work, so a remembered caller may be verified together with the first statement. */
  readonly isProvable?: boolean
  handle(context: Context<A, T, z.output<Q>, z.output<B>>): Answer | Promise<Answer>
}

/** A route of any kind, as the pipeline sees it. */
export interface Route {
  readonly method: HttpMethod
  readonly path: `/${string}`
  readonly auth: AuthMode
  readonly forAdministrators?: string
  readonly tx: WorkKind | 'none'
  readonly query?: z.ZodType
  readonly body?: BodyOptions<z.ZodType>
  readonly isPage?: boolean
  readonly isSmall?: boolean
  readonly isProvable?: boolean
  handle(
    context: Exchange & {
      readonly caller: Caller | null
      readonly env: Env | null
      readonly query: unknown
      readonly body: unknown
      readonly rawBody: Uint8Array
    },
  ): Answer | Promise<Answer>
}

/**
 * Declares a route. A POST of a session or of an anonymous caller must carry the CSRF token of that session or of the form. A unit of
 * work needs a caller, so a public route sets `tx: 'none'`. Where `tx` is a transaction, `handle` runs again after a
 * conflict, so it must have no effects outside the database.
 */
export function route<
  A extends AuthMode,
  T extends A extends Nobody ? 'none' : WorkKind | 'none',
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(options: RouteOptions<A, T, Q, B>): Route {
  return Object.freeze(options)
}
