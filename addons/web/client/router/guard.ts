/** Asks before unsaved changes are left. True allows it. */
export type Guard = () => boolean | Promise<boolean>

export interface Guards {
  /** Adds a guard; the returned function removes it. */
  add(guard: Guard, isDirty: () => boolean): () => void
  /** Whether all agree; asks one after another. */
  mayLeave(): Promise<boolean>
  /** Whether the browser should ask before the page itself is closed. */
  isDirty(): boolean
  /** Allows leaving the page without asking, because unsaved changes are stored. */
  release(): void
}

export function createGuards(): Guards {
  const guards = new Set<{ readonly guard: Guard; readonly isDirty: () => boolean }>()
  let isReleased = false
  return {
    add(guard, isDirty) {
      const entry = { guard, isDirty }
      guards.add(entry)
      return () => guards.delete(entry)
    },
    async mayLeave() {
      if (isReleased) return true
      for (const { guard, isDirty } of guards) if (isDirty() && !(await guard())) return false
      return true
    },
    isDirty: () => !isReleased && [...guards].some((each) => each.isDirty()),
    release() {
      isReleased = true
    },
  }
}
