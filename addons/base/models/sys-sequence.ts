import {
  behavior,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  forgetCounter,
  previewNumbers,
  syncCounter,
  unknownTokens,
} from '#kernel'

export const sysSequence = defineModel('sys.sequence', {
  label: 'Number Sequence',
  order: 'code, id',
  searchFields: ['name', 'code'],
  fields: {
    name: field.char({ required: true, size: 200, translate: true }),
    code: field.char({ required: true, size: 100, index: true, help: 'What code asks for, like sale.order.' }),
    company_id: field.many2one('core.company', {
      ondelete: 'cascade',
      help: 'Empty: shared by every company without its own.',
    }),
    kind: field.selection(
      { fast: 'Fast, gaps possible', gapless: 'Without gaps, one at a time' },
      { required: true, default: 'fast' },
    ),
    prefix: field.char({ size: 64, help: 'May hold %(year)s, %(month)s and %(day)s.' }),
    suffix: field.char({ size: 64 }),
    padding: field.integer({ required: true, default: 0, help: 'Digits, filled up with zeros.' }),
    increment: field.integer({ label: 'Step', required: true, default: 1 }),
    next_number: field.integer({
      required: true,
      default: 1,
      help: 'Where to go on. The counter of a fast sequence moves on without it; see the preview.',
    }),
    preview: field.char({ label: 'Next', compute: 'read' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    padding_range: {
      check: 'padding between 0 and 20',
      fields: ['padding'],
      message: 'A number has at most 20 digits.',
    },
    increment_positive: { check: 'increment >= 1', fields: ['increment'], message: 'The step must be at least 1.' },
    next_positive: { check: 'next_number >= 0', fields: ['next_number'], message: 'Numbers are not negative.' },
  },
})

declare module '#kernel' {
  interface Models {
    'sys.sequence': SysSequence
  }
  interface SysSequence extends FieldsOf<typeof sysSequence> {}
}

const COUNTED = ['kind', 'prefix', 'suffix', 'padding', 'increment', 'next_number'] as const

export const sysSequenceBehavior = behavior('sys.sequence', {
  computes: { preview: { needs: COUNTED, run: previewNumbers } },
  checks: [
    {
      needs: ['prefix', 'suffix'],
      check(_env, row) {
        const unknown = [...unknownTokens(row.prefix), ...unknownTokens(row.suffix)]
        return unknown.length === 0 ? undefined : { prefix: `Unknown parts: ${unknown.join(', ')}.` }
      },
    },
    {
      needs: ['code', 'company_id', 'active'],
      async checkAll(env, rows) {
        const active = rows.filter((row) => row.active)
        return (await haveTwins(env, active)) ? { code: env.t('Another sequence already has this code.') } : undefined
      },
    },
  ],
  events: {
    created: (env, ids) => syncCounters(env, ids, true),
    async updated(env, ids, changed) {
      const isRestart = changed.has('next_number')
      if (isRestart || changed.has('kind') || changed.has('increment')) await syncCounters(env, ids, isRestart)
    },
    async deleting(env, ids) {
      for (const id of ids) await forgetCounter(env, id)
    },
  },
})

async function syncCounters(env: Env, ids: readonly number[], isRestart: boolean): Promise<void> {
  for (const row of await env
    .sudo('the counter follows the sequence just written', { beyondScope: true })
    .model('sys.sequence')
    .read(ids, COUNTED))
    await syncCounter(env, row, isRestart)
}

interface Numbering {
  readonly id: number
  readonly code: string
  readonly company_id: number | null
}

/** Whether one of these has the code of another active sequence of the same company: only one of the two would ever count. */
async function haveTwins(env: Env, rows: readonly Numbering[]): Promise<boolean> {
  const same = await env
    .sudo('whoever may write a sequence may learn that its code is taken', { beyondScope: true })
    .model('sys.sequence')
    .searchRead([['code', 'in', rows.map(({ code }) => code)]], ['code', 'company_id'])
  return rows.some(({ id, code, company_id }) =>
    same.some((row) => row.id !== id && row.code === code && (row.company_id?.[0] ?? null) === company_id),
  )
}
