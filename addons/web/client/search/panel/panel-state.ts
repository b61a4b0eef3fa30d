import { signal } from '@preact/signals'
import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { services } from '../../services.ts'

/** Choices made on this page, by storage key; needed because local storage may be disabled. */
const chosen = signal<Readonly<Record<string, boolean>>>({})

const hasColumns = ({ arch }: WireWorkspace): boolean => (arch.kanban?.groupField ?? '') !== ''

const keyOf = (workspace: WireWorkspace): string =>
  `modulus.panel.${services().session.bootstrap.user.id}.${hasColumns(workspace) ? 'columns' : workspace.viewType}`

/**
 * Whether the search panel is open for this kind of view, as stored in this browser. Closed by default on boards, whose
 * columns need the width.
 */
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
    // Without storage the choice lasts until the page is reloaded.
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
