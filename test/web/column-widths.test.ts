import { expect, test } from 'vitest'
import { registerFields } from '../../addons/web/client/fields/index.ts'
import { tracksOf } from '../../addons/web/client/fields/lines/column-widths.ts'
import { readLines } from '../../addons/web/client/fields/lines/columns.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireRelated } from '../../kernel/view/wire.ts'

registerFields()

const node = (tag: string, attrs: Record<string, string>, children: readonly ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'test',
})

/** Pixels that a link needs for a name of eleven letters. */
function neededBy(relation: string): number {
  const fields = [
    { name: 'name', type: 'char', label: 'Name' },
    { name: 'person_id', type: 'many2one', label: 'Person', relation },
  ]
  const list = node('list', {}, [node('field', { name: 'name' }), node('field', { name: 'person_id' })])
  const related: WireRelated = { model: 'sale.order.line', fields, access: { create: true, write: true, unlink: true } }
  const { columns } = readLines(node('field', { name: 'line_ids' }, [list]), related)
  const { template } = tracksOf({ columns, longest: () => 11, before: null, after: 500 })
  return Number(/,(\d+)px\) 500px$/.exec(template)![1])
}

test('a user has room for the picture beside the name', () => {
  expect(neededBy('core.user')).toBe(neededBy('core.partner') + 24)
})
