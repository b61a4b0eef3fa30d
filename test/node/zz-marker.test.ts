import { test } from 'vitest'
import { startOwnPostgres, withClient } from '../support/own-postgres.ts'
test('marker', { timeout: 60_000 }, async () => {
  const p = await startOwnPostgres()
  try {
    const q = () => withClient(p.dsn, async (c) => (await c.query(`select version(), pg_postmaster_start_time()::text as started, (select stats_reset::text from pg_stat_archiver) as a, (select stats_reset::text from pg_stat_bgwriter) as b, (select stats_reset::text from pg_stat_database where datname=current_database()) d,
      (select next_xid || ' ' || redo_lsn || ' ' || checkpoint_lsn from pg_control_checkpoint()) as cp, pg_current_xact_id()::text as x`)).rows[0])
    console.log(await q())
    const pid = await withClient(p.dsn, async (c) => (await c.query('select pg_backend_pid() as pid')).rows[0].pid)
    console.log(await q())
    // crash of one backend
    await withClient(p.dsn, async (c) => {
      c.on('error', () => {})
      const { pid } = (await c.query('select pg_backend_pid() as pid')).rows[0]
      process.kill(pid, 'SIGKILL')
      await new Promise((r) => setTimeout(r, 1500))
    }).catch((e) => console.log(String(e)))
    console.log(await q())
    await p.crash()
    await p.start()
    console.log(await q())
    console.log(await withClient(p.dsn, async (c) => c.query('select pg_xact_status(99999::text::xid8)').catch((e) => e.code + e.message)))
    let t = performance.now()
    await withClient(p.dsn, async (c) => { 
      for (const s of ['select pg_current_xact_id()::text as xid', "select pg_current_xact_id()::text as xid, (select stats_reset::text from pg_stat_archiver) as a", "select pg_current_xact_id()::text as xid, (select stats_reset from pg_stat_get_archiver()) as a"]) {
      t = performance.now(); for (let i = 0; i < 1000; i++) await c.query('begin; ' + s); console.log(s, performance.now() - t) ; await c.query('rollback')}
    })
  } finally {
    await p.remove()
  }
})
