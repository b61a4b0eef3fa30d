import type { IntegerSetting, TextSetting } from '#kernel'

export const quotationDays: IntegerSetting = {
  type: 'integer',
  name: 'sale.quotation_days',
  perCompany: true,
  label: 'Validity of quotations',
  help: 'A new quotation is valid for so long. Empty: it has no end until somebody enters one.',
  unit: 'days',
  min: 1,
  max: 3_650,
  default: null,
}

export const terms: TextSetting = {
  type: 'text',
  name: 'sale.terms',
  perCompany: true,
  label: 'Terms of new quotations',
  help: 'Stands in every new quotation as its terms and notes, where it can be changed.',
  maxChars: 10_000,
  default: null,
}
