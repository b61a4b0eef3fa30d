import type { ActionResult, Domain, ModelName } from '#kernel'

/** Redirects to the form of a record. */
export const openForm = (model: string, id: number): ActionResult => ({
  redirect: `/web?model=${model}&view_type=form&id=${id}`,
})

/**
 * Redirects to the list of the records of a domain, which the search bar shows by the label; used by counters on forms, with the domain
 * that they count. `measure` is the field whose sum they show, if it is not the number of records.
 */
export function listWhere<M extends ModelName>(
  model: M,
  label: string,
  domain: Domain<M>,
  measure?: string,
): ActionResult {
  const state = new URLSearchParams({ where: JSON.stringify([[label, domain]]), ...(measure && { measure }) })
  return { redirect: `/web?${new URLSearchParams({ model, view_type: 'list' })}#${state}` }
}
