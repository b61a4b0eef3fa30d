import type { WireField } from '../../../../../kernel/view/wire.ts'
import { idsOf, linkOf, textOf } from '../../fields/value/values.ts'
import { hueOf } from '../../ui/avatar.tsx'

/** Colour of a value, the same wherever it is shown; null without one, which draws the colour of the application. */
export function hueOfValue(field: WireField | null, value: unknown): string | null {
  const [key] = field ? valueKeys(field, value) : []
  if (field === null || key === undefined || key === '') return null
  if (field.relation !== undefined || field.type === 'integer') return hueOf(Number(key))
  const at = field.selection?.findIndex(([each]) => each === key) ?? -1
  // Grey is for what has no value; a choice begins with the first colour.
  return hueOf(at >= 0 ? at + 1 : [...key].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 1))
}

/** The values of a field as texts to compare; an empty text is unset. */
export function valueKeys(field: WireField, value: unknown): readonly string[] {
  if (field.type === 'many2many' || field.type === 'one2many') {
    const ids = idsOf(value)
    return ids.length === 0 ? [''] : ids.map(String)
  }
  return [field.type === 'many2one' ? String(linkOf(value)?.id ?? '') : textOf(value)]
}
