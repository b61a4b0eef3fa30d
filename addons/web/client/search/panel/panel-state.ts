import { signal } from '@preact/signals'
import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { services } from '../../services.ts'

/** Choices of this page, by key: storage may be switched off. */
const chosen = signal<Readonly<Record<string, boolean>>>({})

const hasColumns = ({ arch }: WireWorkspace): boolean => (arch.kanban?.groupField ?? '') !== ''

const keyOf = (workspace: WireWorkspace): string =>
  `modulus.panel.${services().session.bootstrap.user.id}.${hasColumns(workspace) ? 'columns' : workspace.viewType}`

/** Whether the search panel stands beside this kind of view, which this browser remembers. Columns of a board need the room. */
export function isPanelOpen(workspace: WireWorkspace): boolean {
  const key = keyOf(workspace)
  return chosen.value[key] ?? recall(key) ?? !hasColumns(workspace)
}

export function togglePanel(workspace: WireWorkspace): void {
  const key = keyOf(workspace)
  const isOpen = !isPanelOpen(workspace)
  chosen.value = { ...chosen.value, [key]: isOpen }
  try {
    localStorage.setItem(key, isOpen ? 'open' : 'closed')
  } catch {
    // The choice then lasts as long as the page.
  }
}

function recall(key: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(key)
    return kept === null ? undefined : kept === 'open'
  } catch {
    return undefined
  }
}
