import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import { type FieldRecord, findField } from '../../core/registries.ts'
import { type RecordEntry, type Values, valuesOf } from '../../store/records.ts'
import type { KanbanArch } from './arch.ts'

/** A card's record as the widgets of its fields see it. */
export const recordOf = (arch: KanbanArch, id: number, values: Values): FieldRecord => ({
  model: arch.model,
  id,
  get: (name) => values[name],
  related: (name) => arch.related[name],
})

/** What a card is called, in words: the texts and fields of its heading. */
export function titleOf(arch: KanbanArch, entry: RecordEntry): string {
  const values = valuesOf(entry).peek()
  const record = recordOf(arch, entry.id, values)
  const words = (node: ArchNode): string => {
    if (node.tag !== 'field')
      return node.children.map((child) => (typeof child === 'string' ? child : words(child))).join('')
    const field = arch.fields.find(({ name }) => name === node.attrs['name'])
    if (!field || field.type === 'boolean') return ''
    return findField('kanban', field.type, node.attrs['widget']).format?.(values[field.name], field, record) ?? ''
  }
  const text = arch.title ? words(arch.title).replaceAll(/\s+/g, ' ').trim() : ''
  return text === '' ? `#${entry.id}` : text
}
