import { unknownModel } from '../../../kernel/access/reach.ts'
import type { Env } from '../../../kernel/env.ts'
import { AppError, badRequest } from '../../../kernel/errors.ts'
import type { Field } from '../../../kernel/model/fields/field.ts'
import type { Model } from '../../../kernel/model/registry.ts'
import { create } from '../../../kernel/orm/record/create.ts'
import { countRecords, searchIds } from '../../../kernel/orm/record/search.ts'
import { buildIndexes } from '../../node/indexes.ts'
import { asUser } from '../as-user.ts'
import { type Call, type CliCommand, UsageError } from '../command.ts'
import { isDistinct, sampledFields, sampleRecord } from '../sample-record.ts'
import { idsIn, type TargetRecord, withCompanies } from '../target-companies.ts'
import { runAsSystem, withReadyHost } from '../with-host.ts'

/** Records of one transaction. */
const BATCH = 1_000
const MAX_ROWS = 100_000_000
/** Records that a many2one chooses from. */
const MAX_TARGETS = 1_000

export const populateCommand: CliCommand = {
  name: 'populate',
  summary: 'Add made-up records to a model, to try the service with very many of them',
  names: { label: '<model>', least: 1, most: 1 },
  options: {
    rows: { type: 'text', value: 'count', required: true, help: 'how many records' },
    login: { type: 'text', value: 'login', required: true, help: 'whose rights count, and who owns the records' },
  },
  async run(call) {
    const name = call.names[0]!
    const rows = readCount(call.text('rows')!)
    const start = performance.now()
    const leftOut = new Set<string>()
    const { seconds, indexes } = await withReadyHost(call, async (host) => {
      const inBatch = <T>(work: (env: Env, model: Model) => Promise<T>): Promise<T> =>
        runAsSystem(host, async (system) => {
          const env = await asUser(system, call.text('login')!)
          const model = env.registry.model(name)
          if (model === undefined) throw unknownModel(env.t, name)
          return work(env, model)
        })
      const { first, targets } = await inBatch(async (env, model) => ({
        first: 1 + (await countRecords(env, model, { domain: [], archived: 'include' })),
        targets: await targetsOf(env, model),
      }))
      for (let done = 0; done < rows; ) {
        const count = Math.min(BATCH, rows - done)
        const batch = { first: first + done, count, targets, leftOut }
        try {
          await inBatch((env, model) => addRecords(env, model, batch))
          done += count
          tell(call, done, rows)
        } catch (error) {
          const before = leftOut.size
          for (const field of refusedFields(error)) leftOut.add(field)
          if (leftOut.size > before) continue
          // Each batch has its own transaction, so records of earlier batches stay.
          if (done > 0) call.log.line('warn', `${done} records were added.`)
          throw error
        }
      }
      // A running service would notice tables that have become large only once a day.
      return { seconds: (performance.now() - start) / 1_000, indexes: await buildIndexes(host) }
    })
    const told = [
      `Added ${rows} records in ${seconds.toFixed(1)} s.`,
      ...(leftOut.size === 0 ? [] : [`Fields left out: ${[...leftOut].join(', ')}.`]),
      ...(indexes.length === 0 ? [] : [`Indexes built: ${indexes.join(', ')}.`]),
    ]
    return { json: { model: name, rows, seconds, left_out: [...leftOut], indexes }, text: told.join(' ') }
  },
}

function readCount(text: string): number {
  const rows = Number(text)
  if (!/^\d+$/.test(text) || rows < 1 || rows > MAX_ROWS)
    throw new UsageError(`--rows must be a number from 1 to ${MAX_ROWS}.`)
  return rows
}

/** On a terminal a line shows the progress. */
function tell({ input, log }: Call, done: number, rows: number): void {
  if (input.isTTY && done % (10 * BATCH) === 0) log.line('warn', `${done} of ${rows}`)
}

type Targets = ReadonlyMap<string, readonly TargetRecord[]>

/** For each many2one that gets a value, the records it may point at. */
async function targetsOf(env: Env, model: Model): Promise<Targets> {
  const found = new Map<string, readonly TargetRecord[]>()
  for (const field of sampledFields(model)) {
    if (field.relation === null) continue
    const target = env.registry.model(field.relation.target)!
    const ids = await searchIds(env, target, { domain: [], order: 'id', limit: MAX_TARGETS })
    if (ids.length === 0 && field.required)
      throw badRequest('input_invalid', `${model.label} needs a ${target.label}, and there is none.`)
    found.set(field.name, await withCompanies(env, target, ids))
  }
  return found
}

/** Fields whose made-up values a check of the model refuses; the records are tried again without them. */
const refusedFields = (error: unknown): readonly string[] =>
  error instanceof AppError && error.code === 'VALIDATION' ? Object.keys(error.details['fields'] ?? {}) : []

interface Batch {
  readonly first: number
  readonly count: number
  readonly targets: Targets
  readonly leftOut: ReadonlySet<string>
}

async function addRecords(env: Env, model: Model, { first, count, targets, leftOut }: Batch): Promise<void> {
  const fields = sampledFields(model).filter(({ name }) => !leftOut.has(name))
  const idsFor = ({ name }: Field, company: number | undefined) =>
    idsIn(targets.get(name) ?? [], company ?? env.user.companyIds[0])
  const isSpread = fields.some((field) => isDistinct(model, field))
  const records = Array.from({ length: count }, (_, at) => sampleRecord(fields, first + at, idsFor, isSpread))
  await create(env, model, records)
}
