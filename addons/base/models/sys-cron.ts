import {
  behavior,
  conflict,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  ids,
  isTimeZone,
  requireCall,
  requireCredentialRight,
  sql,
} from '#kernel'
import { knownModel } from './checks.ts'

export const sysCron = defineModel('sys.cron', {
  label: 'Scheduled Job',
  order: 'priority, nextcall',
  fields: {
    name: field.char({ required: true, size: 200, translate: true }),
    handler: field.char({ size: 200, help: 'A job an addon brings, as addon.job.' }),
    model: field.char({ size: 100, help: 'With an action: the model it belongs to.' }),
    action: field.char({ size: 100, help: 'An object action of the model, run on no record in particular.' }),
    interval_number: field.integer({ label: 'Every', required: true, default: 1 }),
    interval_type: field.selection(
      { minutes: 'Minutes', hours: 'Hours', days: 'Days', weeks: 'Weeks', months: 'Months' },
      { label: 'Unit', required: true, default: 'days' },
    ),
    nextcall: field.datetime({
      label: 'Next Run',
      required: true,
      index: true,
      default: (env) => env.now.toISOString(),
    }),
    attempt_at: field.datetime({
      label: 'Next Attempt',
      readonly: true,
      copy: false,
      help: 'Instead of the next run: a retry after a failure, or a run that somebody asked for. It does not move the next run.',
    }),
    timezone: field.char({
      label: 'Time Zone',
      required: true,
      size: 64,
      default: 'UTC',
      help: 'Whose wall clock the slots keep.',
    }),
    active: field.boolean({ default: true }),
    priority: field.integer({ required: true, default: 5, help: 'Lower runs first.' }),
    kind: field.selection(
      { tx: 'One transaction, exactly once', lease: 'Lease, for long work or work outside the database' },
      { compute: 'read', help: 'As the addon declares its job.' },
    ),
    state: field.selection(
      { idle: 'Waiting', running: 'Running', failing: 'Failing' },
      { required: true, default: 'idle', readonly: true },
    ),
    failures: field.integer({ label: 'Failures in a Row', required: true, default: 0, readonly: true, copy: false }),
    owner: field.char({ readonly: true, copy: false, help: 'The process that holds the lease.' }),
    owner_lock: field.integer({
      readonly: true,
      copy: false,
      help: 'An advisory lock that the owner holds while it lives; whoever can get it may take the job over.',
    }),
    lease_until: field.datetime({ readonly: true, copy: false }),
    run_seq: field.integer({
      required: true,
      default: 0,
      readonly: true,
      copy: false,
      help: 'Fence: a run of an older number writes nothing.',
    }),
    last_run_at: field.datetime({ label: 'Last Run', readonly: true, copy: false }),
    last_done_at: field.datetime({ label: 'Last Success', readonly: true, copy: false }),
    run_ids: field.one2many('sys.cron.run', 'cron_id', { label: 'Runs' }),
  },
  constraints: {
    interval_positive: {
      check: 'interval_number between 1 and 10000',
      fields: ['interval_number'],
      message: 'The interval must be 1 to 10000.',
    },
    one_task: {
      check: '(handler is null) <> (model is null) and (model is null) = (action is null)',
      fields: ['handler'],
      message: 'A job has either a handler or a model with an action.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.cron': SysCron
  }
  interface SysCron extends FieldsOf<typeof sysCron> {}
}

export const sysCronBehavior = behavior('sys.cron', {
  checks: [
    { needs: ['model'], check: (env, row) => knownModel(env, row.model) },
    {
      needs: ['model', 'action'],
      check: (env, { model, action }) =>
        model === null || action === null || env.registry.model(model)?.actions.has(action)
          ? undefined
          : { action: `${model} has no action ${action}.` },
    },
    {
      needs: ['model', 'action'],
      check: (env, { model, action }) =>
        isScheduled(env, model, action)
          ? undefined
          : { action: env.t('A job cannot run this action: it needs a record.') },
    },
    {
      needs: ['handler'],
      check: (env, { handler }) =>
        handler === null || env.registry.jobs.has(handler)
          ? undefined
          : { handler: `No installed addon brings the job ${handler}.` },
    },
    {
      needs: ['timezone'],
      check: (_env, row) =>
        isTimeZone(row.timezone) ? undefined : { timezone: 'Must be a time zone like Europe/Berlin.' },
    },
  ],
  computes: {
    kind: {
      needs: ['handler'],
      run: (env, rows) => new Map(rows.map(({ id, handler }) => [id, env.registry.jobs.get(handler ?? '') ?? 'tx'])),
    },
  },
  events: {
    async created(env, newIds) {
      requireCredentialRight(env)
      await requireCalls(env, newIds)
    },
    /** Setting the next run cancels an earlier retry. */
    async updated(env, changedIds, changed) {
      if (TASK.some((name) => changed.has(name))) {
        requireCredentialRight(env)
        await requireCalls(env, changedIds)
      }
      if (changed.has('nextcall')) await setAttempt(env, changedIds, null)
    },
  },
  actions: {
    /** Makes jobs due at once, by the clock that decides what is due. Their next run stays. */
    async action_run_now(env, rows) {
      if (rows.some((row) => !row.active))
        throw conflict('business_rule', env.t('A job that is switched off does not run. Switch it on first.'))
      const clock = await sql<{ now: string }>`select clock_timestamp() as now`.execute(env.tx)
      await setAttempt(env, ids(rows), clock.rows[0]!.now)
    },
  },
})

/** The fields that decide what a job does. A job runs as the service itself, so only users who could do the same may set them. */
const TASK = ['handler', 'model', 'action'] as const

async function requireCalls(env: Env, cronIds: readonly number[]): Promise<void> {
  const jobs = await env
    .sudo('asks only what the jobs just written do', { beyondScope: true })
    .model('sys.cron')
    .read(cronIds, ['model', 'action'])
  for (const { model, action } of jobs) if (model !== null && action !== null) requireCall(env, model, action)
}

/** Whether a job may run the action; an action that does not exist is reported by another check. */
function isScheduled(env: Env, name: string | null, action: string | null): boolean {
  const model = env.registry.model(name ?? '')
  if (model === undefined || action === null || !model.actions.has(action)) return true
  return model.scheduledActions.has(action)
}

const setAttempt = (env: Env, cronIds: readonly number[], attempt_at: string | null) =>
  env.model('sys.cron').write(cronIds, { attempt_at }, { setsReadonly: true })
