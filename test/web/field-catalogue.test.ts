import { expect, test } from 'vitest'
import { searchableFields } from '../../addons/web/client/search/query/field-catalogue.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'

const field = (name: string) => ({ name, type: 'char', label: name, searchable: true })

/** A service with a list of these records; forms of new records are refused, as to users who may not create any. */
function provide(records: readonly { readonly id: number }[]): readonly string[] {
  const asked: string[] = []
  const send = async (url: string) => {
    asked.push(url)
    const isForm = url.includes('view_type=form')
    if (isForm && !url.includes('&id=')) throw new Error('You are not allowed to create records.')
    return { json: { records, arch: { fields: [field('name'), ...(isForm ? [field('barcode')] : [])] } } }
  }
  provideServices({ transport: { send }, session: { bootstrap: { wcApiBase: '/wc' } } } as unknown as ClientServices)
  return asked
}

const names = async (model: string) => (await searchableFields(model)).map(({ name }) => name)

test('users who may only read are offered the fields of the form too, and nothing is asked for that is refused to them', async () => {
  const asked = provide([{ id: 7 }, { id: 8 }])
  expect(await names('shop.product')).toEqual(['barcode', 'name'])
  expect(asked).toEqual([
    '/wc/workspace?model=shop.product&view_type=list',
    '/wc/workspace?model=shop.product&view_type=form&id=7',
  ])
})

test('without a record and without the form of a new one, the fields of the list are offered', async () => {
  provide([])
  expect(await names('shop.order')).toEqual(['name'])
})
