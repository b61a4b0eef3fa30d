/** Calls `before` when the page is about to be printed and `after` when it was; the result ends this. */
export function whilePrinting(before: () => void, after: () => void): () => void {
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}
