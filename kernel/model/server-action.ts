import { asKernel, type Env } from '../env.ts'
import type { Action, ModelEvents } from './behavior.ts'
import { type Field, Refusal } from './fields/field.ts'
import type { ModelName } from './models.ts'

/**
 * An action that is declared, not programmed: `publish:<channel>` emits an event with the record ids, `write:{…}` writes the
 * values of a JSON object to the records.
 */
export type ServerAction = `publish:${string}` | `write:{${string}}`

/** Server actions on record events. On deletion only `publish` is possible. */
export interface ServerEvents {
  readonly created?: readonly ServerAction[]
  readonly updated?: readonly ServerAction[]
  readonly deleted?: readonly `publish:${string}`[]
}

type Values = Readonly<Record<string, unknown>>
type Report = (problem: string) => void
type Subject = { readonly name: string; readonly fields: ReadonlyMap<string, Field> }

/** A compiled server action; `values` is null when it only publishes. */
interface Step {
  readonly values: Values | null
  run(env: Env, ids: readonly number[]): Promise<void>
}

/** Actions of a behaviour, with the declared ones compiled to functions. They use the caller's rights. */
export function compileActions(
  model: Subject,
  actions: Readonly<Record<string, Action<never> | ServerAction>>,
  report: Report,
): Readonly<Record<string, Action<never>>> {
  return Object.fromEntries(
    Object.entries(actions).flatMap(([name, action]) => {
      if (typeof action !== 'string') return [[name, action]]
      const step = compileStep(model, action, report)
      const run: Action<never> = async (env, rows: readonly { readonly id: number }[]) => {
        await step?.run(
          env,
          rows.map((row) => row.id),
        )
        return true
      }
      return [[name, run]]
    }),
  )
}

/** The events that run server actions, under sudo, because the addon acts and not the caller. */
export function compileServerEvents(
  model: Subject,
  declared: readonly ServerEvents[],
  report: Report,
): readonly ModelEvents<never>[] {
  if (declared.length === 0) return []
  const steps = (event: keyof ServerEvents) =>
    declared.flatMap((on) => on[event] ?? []).flatMap((text) => compileStep(model, text, report) ?? [])
  const [created, updated, deleted] = [steps('created'), steps('updated'), steps('deleted')]
  if (deleted.some((step) => step.values !== null)) report(`${model.name}: a deleted record cannot be written`)
  reportContradictions(model, updated, report)
  return [
    {
      async created(env, ids) {
        for (const step of created) await step.run(asKernel(env), ids)
      },
      async updated(env, ids, changed: ReadonlySet<string>) {
        for (const step of updated) await runOnUpdate(asKernel(env), model, step, ids, changed)
      },
      async deleting(env, ids) {
        for (const step of deleted) await step.run(env, ids)
      },
    },
  ]
}

/**
 * A `write` action is itself an update, so it skips records that already have the values; otherwise it would trigger itself
 * forever.
 */
async function runOnUpdate(
  env: Env,
  model: Subject,
  step: Step,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<void> {
  const { values } = step
  if (values === null) return step.run(env, ids)
  if ([...changed].every((name) => Object.hasOwn(values, name))) return
  const differs = Object.entries(values).map(([name, value]) => [name, '!=', value])
  const domain = [['id', 'in', ids], ...differs.slice(1).map(() => '|'), ...differs]
  await step.run(env, await recordsOf(env, model).search(domain as never, { archived: 'include' }))
}

/** Reports actions that undo each other, because they would trigger each other forever. */
function reportContradictions({ name }: Subject, steps: readonly Step[], report: Report): void {
  const known = new Map<string, string>()
  for (const [field, value] of steps.flatMap(({ values }) => Object.entries(values ?? {}))) {
    const text = JSON.stringify(value)
    if ((known.get(field) ?? text) !== text) report(`${name}: two actions on update write different values to ${field}`)
    known.set(field, text)
  }
}

const CHANNEL = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/
const MAX_CHANNEL_CHARS = 64
/** Channels of the kernel, which addons may not publish to. */
const KERNEL_CHANNELS = /^(?:record|model|module|chatter|import)\./

function compileStep(model: Subject, text: string, report: Report): Step | null {
  const colon = text.indexOf(':')
  const [verb, rest] = [text.slice(0, colon), text.slice(colon + 1)]
  const problem = (what: string) => report(`${model.name}: ${text.slice(0, 80)}: ${what}`)
  if (verb === 'publish') {
    if (CHANNEL.test(rest) && rest.length <= MAX_CHANNEL_CHARS && !KERNEL_CHANNELS.test(rest))
      return publishing(model, rest)
    problem('a channel is named like lead.new, and is none of the kernel')
    return null
  }
  const values = verb === 'write' ? parseObject(rest) : null
  if (values === null) problem('neither publish:<channel> nor write:{"field": value}')
  else {
    const refused = Object.entries(values).flatMap(([name, value]) => refusalOf(model, name, value) ?? [])
    refused.forEach(problem)
    if (refused.length === 0) return writing(model, values)
  }
  return null
}

const publishing = ({ name }: Subject, channel: string): Step => ({
  values: null,
  async run(env, ids) {
    for (const id of ids) env.emit(channel, { model: name, id })
  },
})

const writing = (model: Subject, values: Values): Step => ({
  values,
  async run(env, ids) {
    if (ids.length > 0) await recordsOf(env, model).write(ids, values, { setsReadonly: true })
  },
})

/** The model is registered under this name; only the types of its fields are unknown here. */
const recordsOf = (env: Env, { name }: Subject) => env.model(name as ModelName)

function refusalOf({ name: model, fields }: Subject, name: string, value: unknown): string | null {
  const field = fields.get(name)
  if (field === undefined) return `${model} has no field ${name}`
  const isPlain = field.column !== null && field.compute === null && field.type.comparison !== 'opaque'
  if (!isPlain || field.system || field.secret) return `${name} cannot be written so`
  if (value === null) return field.required ? `${name} is required` : null
  try {
    field.type.parse(value, field)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${name}: ${error.message}`
  }
}

function parseObject(text: string): Values | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 && !Array.isArray(value)
      ? (value as Values)
      : null
  } catch {
    return null
  }
}
