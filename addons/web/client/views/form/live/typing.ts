/** After this time without a key, typing counts as over. */
const IDLE_MS = 4_000

/** Calls `say` with the field in which the user types, with `@writing` for a message, and with undefined when typing is over. */
export function watchTyping(say: (doing: string | undefined) => void): () => void {
  const ending = new AbortController()
  let doing: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (next: string | undefined) => {
    clearTimeout(timer)
    if (next !== undefined) timer = setTimeout(() => change(undefined), IDLE_MS)
    if (next === doing) return
    doing = next
    say(next)
  }
  const { signal } = ending
  document.addEventListener('input', ({ target }) => target instanceof Element && change(placeOf(target)), { signal })
  // Keys that send or save end it, though the place keeps the focus; after others that change something input follows.
  document.addEventListener('keydown', (event) => (event.ctrlKey || event.metaKey) && change(undefined), { signal })
  document.addEventListener('focusout', () => change(undefined), { signal })
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}

/** The cells of lines have fields of their own, inside that of the sheet. A dialog is about another record. */
function placeOf(target: Element): string | undefined {
  if (target.closest('[role=dialog]')) return undefined
  if (target.closest('.chatter')) return '@writing'
  return target.closest<HTMLElement>('[data-field-id]')?.dataset['field']
}
