import { expect, test } from 'vitest'
import { type AddonOptions, defineAddon } from '../../kernel/module/addon.ts'
import { buildCatalogue, dependencyOrder, dependentsOf, installClosure } from '../../kernel/module/graph.ts'

const addon = (name: string, depends: readonly string[] = [], options: Partial<AddonOptions> = {}) =>
  defineAddon({ name, version: '1.0', summary: name, depends, models: [], ...options })

const names = (addons: readonly { readonly name: string }[]) => addons.map((item) => item.name)

const catalogue = buildCatalogue([
  addon('sale', ['product', 'mail']),
  addon('base'),
  addon('mail', ['base']),
  addon('product', ['base']),
  addon('crm', ['mail']),
  addon('sale_crm', ['sale', 'crm'], { auto_install: true }),
  addon('sale_crm_report', ['sale_crm'], { auto_install: true }),
])

test('an addon comes after everything it depends on', () => {
  expect(names(dependencyOrder(catalogue, ['sale']))).toEqual(['base', 'product', 'mail', 'sale'])
})

test('an auto-install addon joins once its last dependency does, and may bring others', () => {
  expect(names(installClosure(catalogue, ['base'], ['sale']))).not.toContain('sale_crm')
  expect(names(installClosure(catalogue, ['base', 'mail', 'product', 'sale'], ['crm']))).toEqual([
    'base',
    'product',
    'mail',
    'sale',
    'crm',
    'sale_crm',
    'sale_crm_report',
  ])
})

test('dependents are found through others', () => {
  expect(dependentsOf(catalogue, 'mail', ['base', 'mail', 'product', 'sale', 'crm', 'sale_crm'])).toEqual([
    'sale',
    'crm',
    'sale_crm',
  ])
})

test('an unknown module is NOT_FOUND', () => {
  expect(() => dependencyOrder(catalogue, ['nope'])).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', message: 'There is no module nope.' }),
  )
})

test('duplicate names, missing dependencies and cycles are refused together, by name', () => {
  const broken = [addon('a', ['b']), addon('b', ['c']), addon('c', ['a']), addon('d', ['gone']), addon('d')]
  expect(() => buildCatalogue(broken)).toThrow(
    [
      'There are two addons named d.',
      'Addon d depends on gone, which does not exist.',
      'Addons depend on each other: a → b → c → a.',
    ].join('\n'),
  )
})

test('a manifest with a bad name or version is refused', () => {
  expect(() => addon('Bad-Name')).toThrow('must be lower case')
  expect(() => addon('fine', [], { version: 'one' })).toThrow('version must look like 1.0')
})
