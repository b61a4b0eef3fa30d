import { behavior, conflict, defineModel, type Env, type FieldsOf, field } from '#kernel'

export const coreCurrency = defineModel('core.currency', {
  label: 'Currency',
  order: 'active desc, name',
  searchFields: ['name', 'full_name'],
  aboutFields: ['full_name'],
  fields: {
    name: field.char({ label: 'Code', required: true, size: 3, unique: true, help: 'ISO 4217 code.' }),
    full_name: field.char({ label: 'Name', size: 100, translate: true }),
    symbol: field.char({ required: true, size: 8 }),
    position: field.selection(
      { after: 'After the amount', before: 'Before the amount' },
      { label: 'Symbol Position', required: true, default: 'after' },
    ),
    rounding: field.float({
      label: 'Rounding Factor',
      required: true,
      default: 0.01,
      digits: [12, 6],
      help: 'Amounts are multiples of this.',
    }),
    decimal_places: field.integer({ compute: 'stored', help: 'Digits after the point, from the rounding factor.' }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    rounding_positive: {
      check: 'rounding > 0',
      fields: ['rounding'],
      message: 'The rounding factor must be above zero.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'core.currency': CoreCurrency
  }
  interface CoreCurrency extends FieldsOf<typeof coreCurrency> {}
}

export const coreCurrencyBehavior = behavior('core.currency', {
  computes: {
    decimal_places: {
      needs: ['rounding'],
      run: (_env, rows) => new Map(rows.map((row) => [row.id, decimalPlaces(row.rounding)])),
    },
  },
  events: {
    updated: async (env, ids, changed) => (changed.has('active') ? keepThoseOfCompanies(env, ids) : undefined),
  },
})

/** The currency of a company stays in use: pickers would no longer offer the one that its records begin with. */
async function keepThoseOfCompanies(env: Env, ids: readonly number[]): Promise<void> {
  const every = env.sudo('asks for the companies with these currencies, whoever may see them', { beyondScope: true })
  const [company] = await every.model('core.company').searchRead(
    [
      ['currency_id', 'in', ids],
      ['currency_id.active', '=', false],
    ],
    ['currency_id'],
    { limit: 1 },
  )
  if (company === undefined) return
  const [, currency] = company.currency_id
  throw conflict(
    'business_rule',
    env.t('{currency} is the currency of a company, so it stays in use.', { currency: currency ?? '' }),
  )
}

/** 0.01 → 2, 0.05 → 2, 1 → 0, 10 → 0. */
export function decimalPlaces(rounding: number): number {
  return rounding > 0 && rounding < 1 ? Math.ceil(Math.log10(1 / rounding) - 1e-9) : 0
}
