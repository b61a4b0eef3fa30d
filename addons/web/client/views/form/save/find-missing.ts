import type { WireField, WireRelated } from '../../../../../../kernel/view/wire.ts'
import { elementsOf } from '../../../core/arch.ts'
import { holds, type Scope } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { findField } from '../../../core/registries.ts'
import { labelOf } from '../../../fields/value/control.ts'
import type { RecordDraft } from '../../../store/draft.ts'
import { type FormArch, isX2many } from '../model/arch.ts'

export interface MissingOptions {
  readonly arch: FormArch
  readonly draft: RecordDraft
  readonly scope: Scope
  readonly related: Readonly<Record<string, WireRelated>>
}

/** Required fields that are empty, with a message each. Hidden and read-only fields are left to the server to check. */
export function findMissing({ arch, draft, scope, related }: MissingOptions): Readonly<Record<string, string>> {
  const missing: Record<string, string> = {}
  for (const node of arch.fieldNodes) {
    const { name = '', required, readonly, invisible, widget } = node.attrs
    const field = arch.fields.get(name)
    if (!field || field.readonly || holds(readonly, scope)) continue
    if ([node, ...(arch.around.get(node) ?? [])].some(({ attrs }) => holds(attrs['invisible'], scope))) continue
    if (holds(invisible, scope)) continue
    const isEmpty = emptyTest(field, widget)
    if ((field.required || holds(required, scope)) && isEmpty(draft.get(name))) {
      missing[name] = t('{field} is required.', { field: labelOf({ node, field }) })
    } else if (isX2many(field)) {
      const columns = elementsOf(node).find(({ tag }) => tag === 'list')
      const shown = new Set(columns && elementsOf(columns).map(({ attrs }) => attrs['name']))
      const wrong = findMissingInLines(
        draft,
        name,
        (related[name]?.fields ?? []).filter((each) => shown.has(each.name)),
      )
      if (wrong !== null) missing[name] = wrong
    }
  }
  return missing
}

/** Message for the first line with an empty required field. In saved lines only changed values are checked. */
function findMissingInLines(draft: RecordDraft, name: string, columns: readonly WireField[]): string | null {
  const required = columns.filter((column) => column.required && !column.readonly)
  const { rows, values, blank } = draft.lines(name)
  for (const [index, row] of rows.entries()) {
    const changed = values[row]
    if (!changed || row === blank) continue
    const empty = required.find((column) => (row < 0 || column.name in changed) && isUnset(changed[column.name]))
    if (empty) return t('Line {n}: {field} is required.', { n: index + 1, field: empty.label })
  }
  return null
}

const isUnset = (value: unknown): boolean => value === null || value === undefined || value === ''

function emptyTest(field: WireField, widget: string | undefined): (value: unknown) => boolean {
  const isEmpty = findField('form', field.type, widget).isEmpty ?? isUnset
  return (value) => isEmpty(value) || (Array.isArray(value) && value.length === 0)
}
