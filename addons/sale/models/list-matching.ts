import type { ActionResult } from '#kernel'

/** Opens the list of a model, searched for a text: what a counter on another form leads to. */
export function listMatching(model: string, text: string): ActionResult {
  const query = new URLSearchParams({ model, view_type: 'list', q: text.slice(0, 200) })
  return { redirect: `/web?${query}` }
}
