import {
  type ArchNode,
  callAction,
  confirm,
  formatInteger,
  type Group,
  offerUndo,
  searchRead,
  services,
  showError,
  showToast,
  t,
  tn,
  unlinkRecords,
  type WireDomain,
  writeRecords,
} from '../../sdk.ts'
import { hideRecords } from './lists.ts'
import type { ListModel } from './model.ts'

/** The server takes so many ids per call, and answers with so many rows. */
const MOST_IDS = 1_000
const PAGE = 500

/** Ids of all selected records, those that are not loaded too. */
export const selectedIds = async ({ selection, arch, domain }: ListModel): Promise<readonly number[]> =>
  selection.isAll.peek() ? findIds(arch.model, domain.peek()) : [...selection.ids.peek()]

/** Ids of everything that matches. */
async function findIds(model: string, domain: WireDomain): Promise<readonly number[]> {
  const { rpc } = services()
  const ids: number[] = []
  for (;;) {
    const after = ids.length === 0 ? [] : [['id', '>', ids.at(-1)]]
    const rows = await searchRead(rpc, model, [...domain, ...after], ['id'], { order: 'id', limit: PAGE })
    ids.push(...rows.map(({ id }) => id))
    if (rows.length < PAGE) return ids
  }
}

/** Selects a whole group, also what is not loaded of it. */
export async function selectGroup({ selection, arch }: ListModel, { domain }: Group, isOn: boolean): Promise<void> {
  try {
    selection.set(await findIds(arch.model, domain), isOn)
  } catch (error) {
    showError(error)
  }
}

async function inParts(ids: readonly number[], run: (part: readonly number[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_IDS) await run(ids.slice(at, at + MOST_IDS))
}

/** Takes the selected rows away at once; the server hears of it when the moment to change one's mind is over. */
export async function deleteSelected(model: ListModel): Promise<void> {
  const { rpc, records } = services()
  const { arch, selection } = model
  if (selection.isAll.peek() && !(await confirmAll(model))) return
  try {
    const ids = await selectedIds(model)
    const show = hideRecords(model.lists(), new Set(ids))
    selection.clear()
    const carryOut = async () => {
      try {
        await inParts(ids, (part) => unlinkRecords(rpc, arch.model, part))
        records.markDeleted(arch.model, ids)
        await model.refresh()
      } catch (error) {
        showError(error)
      } finally {
        show()
      }
    }
    offerUndo({
      text: tn(ids.length, '{n} record deleted', '{n} records deleted', { n: formatInteger(ids.length) }),
      run: () => void carryOut(),
      undo: show,
    })
  } catch (error) {
    showError(error)
  }
}

/** What cannot be seen on the screen is not deleted by one press of a key. */
const confirmAll = ({ list }: ListModel): Promise<boolean> => {
  const n = list.total.peek()
  return confirm({
    title: tn(n, 'Delete {n} record?', 'Delete all {n} records?', { n: formatInteger(n) }),
    text: t('Everything that matches the search is deleted, also what is not on the screen.'),
    action: t('Delete'),
    isDanger: true,
  })
}

/** Archives the selected records, or brings archived ones back; can be undone. */
export async function archiveSelected(model: ListModel, isActive: boolean): Promise<void> {
  const { rpc } = services()
  const { arch, selection } = model
  try {
    const ids = await selectedIds(model)
    const show = hideRecords(model.lists(), new Set(ids))
    const write = (active: boolean) => inParts(ids, (part) => writeRecords(rpc, arch.model, part, { active }))
    selection.clear()
    try {
      await write(isActive)
      await model.refresh()
    } finally {
      show()
    }
    const undo = () => void write(!isActive).then(model.refresh, showError)
    const n = formatInteger(ids.length)
    showToast({
      level: 'success',
      text: isActive
        ? tn(ids.length, '{n} record restored', '{n} records restored', { n })
        : tn(ids.length, '{n} record archived', '{n} records archived', { n }),
      action: { label: t('Undo'), run: undo },
    })
  } catch (error) {
    showError(error)
  }
}

/** Whether the search shows archived records. */
export const showsArchived = ({ domain }: ListModel): boolean => domain.value.some(isArchivedLeaf)

const isArchivedLeaf = (leaf: unknown): boolean =>
  Array.isArray(leaf) && ((leaf[0] === 'active' && leaf[1] === '=' && leaf[2] === false) || leaf.some(isArchivedLeaf))

/** Runs a button of the header for the selected records, or one of a row for it alone. */
export async function runButton(model: ListModel, { attrs }: ArchNode, id?: number): Promise<void> {
  const { rpc, router } = services()
  const name = attrs['name'] ?? ''
  if (attrs['confirm'] !== undefined) {
    const label = attrs['string'] ?? name
    if (!(await confirm({ title: label, text: attrs['confirm'], action: label }))) return
  }
  if (attrs['type'] === 'action') {
    await router.go(`/web?action=${name}`)
    return
  }
  try {
    const ids = id === undefined ? await selectedIds(model) : [id]
    const [first] = ids
    if (first === undefined) return
    const answer = await callAction(rpc, model.arch.model, first, name, ids)
    if (answer !== true && 'redirect' in answer) {
      await router.go(answer.redirect)
      return
    }
    await model.refresh()
    if (id === undefined) {
      const n = formatInteger(ids.length)
      showToast({
        level: 'success',
        text: tn(ids.length, '{action}: {n} record', '{action}: {n} records', { n, action: attrs['string'] ?? name }),
      })
    }
  } catch (error) {
    showError(error)
  }
}

/** Where the records of the list can be downloaded. */
export function exportHref({ arch, columns, workspace }: ListModel): string {
  const { actionId } = workspace.value
  const fields = columns.value.flatMap((column) => (column.kind === 'field' ? [column.field.name] : []))
  const query = new URLSearchParams({ model: arch.model, fields: fields.join(',') })
  if (actionId > 0) query.set('action', String(actionId))
  return `/web/export/csv?${query}`
}
