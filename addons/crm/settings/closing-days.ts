import type { IntegerSetting } from '#kernel'

export const closingDays: IntegerSetting = {
  type: 'integer',
  name: 'crm.closing_days',
  perCompany: true,
  label: 'Expected closing of new leads',
  help: 'So long after today. Empty: a new lead has no expected closing until somebody enters one.',
  unit: 'days',
  min: 1,
  max: 3_650,
  default: null,
}
