import type pg from 'pg'

/** Number of the session, as the server gave it to the client, or a pooler before it. The declarations of `pg` leave it out. */
export const processIdOf = (client: pg.ClientBase): number | null =>
  (client as pg.ClientBase & { readonly processID?: number | null }).processID ?? null
