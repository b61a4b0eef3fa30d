import type pg from 'pg'

/** Process id of the session, as given by the server or a pooler in front of it. The types of `pg` omit it. */
export const processIdOf = (client: pg.ClientBase): number | null =>
  (client as pg.ClientBase & { readonly processID?: number | null }).processID ?? null
