import type { Env } from '../env.ts'

/** Tells every process to load views, actions and menus anew once this transaction has committed. */
export async function bumpViewEpoch(env: Env): Promise<void> {
  await env.tx
    .updateTable('sys_epoch')
    .set((row) => ({ views: row('views', '+', 1) }))
    .execute()
}
