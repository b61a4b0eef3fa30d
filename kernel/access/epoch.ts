import type { Env } from '../env.ts'

/** Tells every process to load groups, access lines and rules anew once this transaction has committed. */
export async function bumpAccessEpoch(env: Env): Promise<void> {
  await env.tx
    .updateTable('sys_epoch')
    .set((row) => ({ access: row('access', '+', 1) }))
    .execute()
}
