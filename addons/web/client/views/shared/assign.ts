import type { WireField } from '../../../../../kernel/view/wire.ts'
import type { Act } from '../../core/acts.ts'
import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { writeRecords } from '../../store/queries.ts'
import { showError, showToast, undoAction } from '../../ui/toasts.tsx'

/** Ids that one call takes; see `LIMITS.ids` of the server. */
const BATCH_SIZE = 500

export interface Assigned {
  readonly model: string
  /** Fields of the view; the first link to users that can be written says who is responsible. */
  readonly fields: readonly WireField[]
  ids(): Promise<readonly number[]>
  /** Called when records were written. */
  done(): Promise<unknown> | unknown
}

/** The act that makes somebody responsible for records, with Undo; none if the view shows no such field. */
export function assignAct({ model, fields, ids, done }: Assigned): readonly Act[] {
  const field = fields.find(
    ({ name, type, relation, readonly }) =>
      relation === 'core.user' &&
      !readonly &&
      (type === 'many2one' || type === 'many2many') &&
      name.startsWith('user_'),
  )
  if (!field) return []
  return [
    {
      name: 'assign',
      label: t('Assign to'),
      icon: 'user-plus',
      asks: { model: 'core.user', label: field.label },
      async run(chosen) {
        if (!chosen) return
        try {
          await assign(model, field, await ids(), chosen, done)
        } catch (error) {
          showError(error)
        }
      },
    },
  ]
}

async function assign(
  model: string,
  field: WireField,
  ids: readonly number[],
  [user, name]: readonly [number, string],
  done: Assigned['done'],
): Promise<void> {
  const { rpc } = services()
  const before = new Map<string, number[]>()
  for (const part of partsOf(ids)) {
    for (const row of await rpc.read(model, part, [field.name])) {
      const key = JSON.stringify(idOf(row[field.name]))
      before.set(key, [...(before.get(key) ?? []), row.id])
    }
    await writeRecords(rpc, model, part, { [field.name]: field.type === 'many2many' ? [user] : user })
  }
  await done()
  const undo = async () => {
    for (const [key, these] of before)
      for (const part of partsOf(these)) await writeRecords(rpc, model, part, { [field.name]: JSON.parse(key) })
    await done()
  }
  const n = formatInteger(ids.length)
  showToast({
    level: 'success',
    text:
      ids.length === 1
        ? t('Assigned to {name}', { name })
        : tn(ids.length, '{n} record assigned to {name}', '{n} records assigned to {name}', { n, name }),
    action: undoAction(() => void undo().catch(showError)),
  })
}

/** The value as it is written: a link comes as a pair. */
const idOf = (value: unknown): unknown => (Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value)

const partsOf = (ids: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
