import type { Domain, ModelName } from '#kernel'

interface Redirect {
  readonly redirect: string
}

/** Redirects to the form of a record. */
export const openForm = (model: string, id: number): Redirect => ({
  redirect: `/web?model=${model}&view_type=form&id=${id}`,
})

/**
 * Redirects to the list of the records of a domain, which the search bar shows by the label; used by counters on forms, with the domain
 * that they count. `measure` is the field whose sum the counter shows, if it does not show the number of records.
 */
export function listWhere<M extends ModelName>(model: M, label: string, domain: Domain<M>, measure?: string): Redirect {
  const state = new URLSearchParams({ where: JSON.stringify([[label, domain]]), ...(measure && { measure }) })
  return { redirect: `/web?${new URLSearchParams({ model, view_type: 'list' })}#${state}` }
}
