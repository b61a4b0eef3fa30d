import { expect, test } from 'vitest'
import { isWanted, withTranslations } from '../../addons/web/client/export/fields.ts'
import type { WireField } from '../../kernel/view/wire.ts'

const NAME: WireField = { name: 'name', type: 'char', label: 'Name', languages: ['de', 'pt-BR'] }
const COLOUR: WireField = { name: 'color', type: 'integer', label: 'Colour' }

test('a translated text can be exported in each of its languages, beside the text itself', () => {
  const fields = withTranslations([NAME, COLOUR])
  expect(fields.map(({ name, label }) => [name, label])).toEqual([
    ['name', 'Name'],
    ['name@de', 'Name (de)'],
    ['name@pt-BR', 'Name (pt-BR)'],
    ['color', 'Colour'],
  ])
})

test('a field is found by its label, its name and the language it is in', () => {
  const found = (typed: string) =>
    withTranslations([NAME, COLOUR]).flatMap((field) => (isWanted(field, typed) ? [field.name] : []))
  expect(found('german')).toEqual(['name@de'])
  expect(found('@de')).toEqual(['name@de'])
  expect(found('NAME')).toEqual(['name', 'name@de', 'name@pt-BR'])
  expect(found('color')).toEqual(['color'])
  expect(found('')).toHaveLength(4)
})
