import type { ActionResult } from '#kernel'

/** Redirects to the form of a record. */
export const openForm = (model: string, id: number): ActionResult => ({
  redirect: `/web?model=${model}&view_type=form&id=${id}`,
})

/** Redirects to the list of a model, filtered by a text; used by counters on forms. */
export function listMatching(model: string, text: string): ActionResult {
  const query = new URLSearchParams({ model, view_type: 'list', q: text.slice(0, 200) })
  return { redirect: `/web?${query}` }
}
