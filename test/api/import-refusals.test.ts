import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

describeHost('an import that is refused as a whole', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })
  const age = (interval: string) =>
    sql`update sys_session set reauth_at = now() - ${interval}::interval`.execute(host.database.db)

  test('of users asks for the password once for the whole file if the sign-in was long ago', async () => {
    const { id } = await stage(admin, 'name,login\nIda,ida@example.com\nIvo,ivo@example.com\n', { model: 'core.user' })
    await age('1 hour')
    const asked = { code: 'ACCESS_DENIED', details: { reason: 'confirm_password', confirm: '/web/confirm' } }
    expect((await confirm(admin, id)).error).toMatchObject(asked)
    expect((await admin.rpc('sys.bulk.import', 'call', [id, 'action_dry_run'])).error).toMatchObject(asked)
    expect(await readBatch(admin, id)).toMatchObject({ state: 'staged', problems: null })
    await age('1 minute')
    expect(await confirm(admin, id)).toMatchObject({ ok: true })
    expect(await readBatch(admin, id)).toMatchObject({ state: 'done', created_count: 2 })
  })

  test('for where its columns go names the column and says why', async () => {
    const { id } = await stage(admin, 'name,when,key\nIna,2026-01-01,7\n')
    const mapping = { name: 'name', when: 'create_date', key: 'colour' }
    expect((await confirm(admin, id, mapping)).error).toMatchObject({
      message: 'when: Is kept by the system and cannot be set. key: Contact has no field colour.',
      details: {
        reason: 'mapping_invalid',
        fields: { when: 'Is kept by the system and cannot be set.', key: 'Contact has no field colour.' },
      },
    })
    expect((await confirm(admin, id, { name: '' })).error).toMatchObject({
      message: 'No column is mapped to a field. The file has: name, when, key.',
    })
  })
})
