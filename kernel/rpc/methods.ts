import { z } from 'zod'
import { requireModel } from '../access/acl.ts'
import type { Operation } from '../access/tables.ts'
import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { isRecordId } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { groupPage } from '../orm/group/group.ts'
import { MEASURES } from '../orm/group/measure.ts'
import { onchange } from '../orm/onchange/onchange.ts'
import { callAction } from '../orm/record/action.ts'
import { create } from '../orm/record/create.ts'
import { readJson } from '../orm/record/read.ts'
import { type SearchQuery, searchJson } from '../orm/record/search.ts'
import { unlink } from '../orm/record/unlink.ts'
import { write } from '../orm/record/write.ts'
import { missing } from '../orm/statement/refusals.ts'
import type { WorkKind } from '../serve/route.ts'
import {
  archived,
  baseVersion,
  cursor,
  domain,
  fieldNames,
  groupLimit,
  limit,
  locale,
  offset,
  order,
  recordId,
  recordIds,
  textMap,
  values,
} from './args.ts'

export interface MethodResult {
  readonly result: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An RPC method. Only methods in the table below can be called. */
export interface RpcMethod<A extends z.ZodType = z.ZodType, K extends z.ZodObject = z.ZodObject> {
  readonly summary: string
  readonly kind: WorkKind
  /** The access right on the model that the method requires. */
  readonly operation: Operation
  readonly args: A
  readonly kwargs: K
  run(env: Env, model: Model, args: z.output<A>, kwargs: z.output<K>): Promise<MethodResult>
}

/** Infers the types of `run` from the schemas of the arguments. */
const method = <A extends z.ZodType, K extends z.ZodObject>(options: RpcMethod<A, K>): RpcMethod => options

/** Whether a method only reads. Others require `Model.rpc` to be `all` and a key that may write. */
export const isReading = ({ kind }: RpcMethod): boolean => kind === 'read' || kind === 'replica' || kind === 'snapshot'

const noKwargs = z.strictObject(locale)

const page = z.strictObject({
  ...locale,
  limit: limit.default(LIMITS.records),
  offset: offset.default(0),
  order: order.default(''),
  archived: archived.default('exclude'),
  cursor: cursor.optional(),
})

/** Any text for the schema, so that an unknown measure gets the ORM's message, which lists the known ones. */
const measure = z.string().meta({ enum: MEASURES })

const writeMethod = method({
  summary: 'Write the same values to records, all or nothing.',
  kind: 'write',
  operation: 'write',
  args: z.tuple([recordIds, values]),
  kwargs: z.strictObject({
    ...locale,
    base_version: baseVersion.optional(),
    line_versions: z.record(z.string(), baseVersion).optional(),
  }),
  async run(env, model, [ids, given], { base_version, line_versions }) {
    refuseForeignVersions(ids, base_version)
    const options = { baseVersion: base_version, lineVersions: line_versions }
    return { result: await write(env, model, existing(env, model, ids), given, options) }
  },
})

const unlinkMethod = method({
  summary: 'Delete records, all or nothing.',
  kind: 'write',
  operation: 'unlink',
  args: z.tuple([recordIds]),
  kwargs: noKwargs,
  run: async (env, model, [ids]) => ({ result: await unlink(env, model, existing(env, model, ids)) }),
})

/** The allowlist. A Map, so that names such as `constructor` find nothing. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({
    search: method({
      summary: 'Whole records that match a domain.',
      kind: 'replica',
      operation: 'read',
      args: z.tuple([domain.nullish()]),
      kwargs: page,
      run: (env, model, [where], options) => answerPage(env, model, { domain: where ?? [], ...options }),
    }),
    search_read: method({
      summary: 'Named fields of the records that match a domain.',
      kind: 'replica',
      operation: 'read',
      args: z.tuple([domain, fieldNames]),
      kwargs: page,
      run: (env, model, [where, fields], options) => answerPage(env, model, { domain: where, fields, ...options }),
    }),
    read: method({
      summary: 'Records by id, in the order asked.',
      kind: 'read',
      operation: 'read',
      args: z.tuple([recordIds, fieldNames.nullish()]),
      kwargs: noKwargs,
      run: async (env, model, [ids, fields]) => ({
        result: await readJson(env, model, existing(env, model, ids), fields ?? undefined),
      }),
    }),
    read_group: method({
      summary: 'Records grouped and aggregated.',
      kind: 'read',
      operation: 'read',
      args: z.tuple([
        z.strictObject({
          domain: domain.default([]),
          groupby: z.array(z.string()).max(LIMITS.groupBy).default([]),
          fields: z
            .array(z.strictObject({ name: z.string(), field: z.string(), measure }))
            .max(LIMITS.fields)
            .default([]),
          sets: z
            .array(z.array(z.string()).max(LIMITS.groupBy))
            .min(1)
            .max(LIMITS.groupSets)
            .optional()
            .meta({ description: 'Subsets of groupby, each grouped by itself: subtotals and totals.' }),
        }),
      ]),
      kwargs: z.strictObject({
        ...locale,
        limit: groupLimit.default(LIMITS.records),
        offset: offset.default(0),
        order: order.optional(),
        archived: archived.optional(),
        week_start: z.int().min(1).max(7).optional(),
        having: domain.optional(),
      }),
      async run(env, model, [spec], { week_start, ...options }) {
        const { rows, isCut } = await groupPage(env, model, spec, { weekStart: week_start, ...options })
        const next = String(options.offset + rows.length)
        return isCut ? { result: rows, headers: { 'x-more-groups': next } } : { result: rows }
      },
    }),
    call: method({
      summary: 'Run an object action on a record.',
      kind: 'serial',
      operation: 'read',
      args: z.tuple([recordId, z.string(), textMap.nullish()]),
      kwargs: noKwargs,
      async run(env, model, [id, action, vals]) {
        const result = await callAction(env, model, existing(env, model, [id]), action, vals ?? {})
        // The notice for the web client is not part of the interface.
        return { result: result !== true && 'redirect' in result ? { redirect: result.redirect } : result }
      },
    }),
    create: method({
      summary: 'Create a record.',
      kind: 'write',
      operation: 'create',
      args: z.tuple([values]),
      kwargs: noKwargs,
      async run(env, model, [given]) {
        const [id] = await create(env, model, [given])
        return { result: id }
      },
    }),
    write: writeMethod,
    unlink: unlinkMethod,
    create_many: method({
      summary: 'Create records, all or nothing: [[v1, v2, …]] or [[v1], [v2], …].',
      kind: 'write',
      operation: 'create',
      args: z
        .array(z.array(values))
        .min(1)
        .transform((lists) => lists.flat())
        .refine((all) => all.length <= LIMITS.createMany, `At most ${LIMITS.createMany} records at once.`),
      kwargs: noKwargs,
      run: async (env, model, all) => ({ result: await create(env, model, all) }),
    }),
    write_many: writeMethod,
    unlink_many: unlinkMethod,
    onchange: method({
      summary: 'What a form should change after an edit; nothing is written.',
      kind: 'snapshot',
      operation: 'read',
      args: z.tuple([values, z.union([z.string(), fieldNames]), fieldNames.nullish()]),
      kwargs: z.strictObject({
        ...locale,
        id: recordId.optional(),
        parent: z.strictObject({ field: z.string(), id: recordId.optional(), values }).optional(),
      }),
      async run(env, model, [given, changed, fields], { id, parent }) {
        if (id !== undefined) existing(env, model, [id])
        const draft = {
          values: given,
          changed: changed === '' ? [] : [changed].flat(),
          fields: fields ?? undefined,
          id,
          parent,
        }
        return { result: await onchange(env, model, draft) }
      },
    }),
  }),
)

async function answerPage(env: Env, model: Model, query: SearchQuery): Promise<MethodResult> {
  const { records, nextCursor } = await searchJson(env, model, query)
  const cursor = await nextCursor()
  return cursor === null ? { result: records } : { result: records, headers: { 'x-next-cursor': cursor } }
}

/** Throws NOT_FOUND for a number outside the range of ids, as for any other unknown id. */
function existing(env: Env, model: Model, ids: readonly number[]): readonly number[] {
  const absent = ids.find((id) => !isRecordId(id))
  if (absent === undefined) return ids
  requireModel(env, model, 'read')
  throw missing(env, model, absent)
}

function refuseForeignVersions(ids: readonly number[], versions: ReadonlyMap<number, number> | undefined): void {
  const foreign = [...(versions?.keys() ?? [])].find((id) => !ids.includes(id))
  if (foreign !== undefined) throw badRequest('input_invalid', `kwargs.base_version: ${foreign} is not among the ids.`)
}
