import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { findField } from '../../../core/registries.ts'
import { plainRecord } from '../../../store/plain-record.ts'
import { type RecordEntry, valuesOf } from '../../../store/records.ts'
import type { KanbanArch } from './arch.ts'

/** Name of a card as plain text: the texts and fields of its heading. */
export function cardTitle(arch: KanbanArch, entry: RecordEntry): string {
  const values = valuesOf(entry).peek()
  const record = plainRecord({ model: arch.model, id: entry.id, related: arch.related }, values)
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
