import { defineModel, type FieldsOf, field } from '#kernel'

export const coreCountry = defineModel('core.country', {
  label: 'Country',
  order: 'name',
  searchFields: ['name', 'code'],
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    code: field.char({ required: true, size: 2, unique: true, help: 'ISO 3166-1 code of two letters.' }),
    phone_code: field.integer({ label: 'Calling Code' }),
    currency_id: field.many2one('core.currency'),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.country': CoreCountry
  }
  interface CoreCountry extends FieldsOf<typeof coreCountry> {}
}
