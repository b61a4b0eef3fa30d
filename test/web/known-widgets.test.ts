import { expect, test } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import { registerFields } from '../../addons/web/client/fields/index.ts'
import { knownWidgets } from '../../kernel/view/arch/known-widgets.ts'

test('the widgets that views may name are those the client registers', () => {
  registerFields()
  const drawn = fields.entries().flatMap(([name]) => (name.includes('.') ? [] : [name]))
  expect([...knownWidgets({ widgets: new Set() })].sort()).toEqual(drawn.sort())
})
