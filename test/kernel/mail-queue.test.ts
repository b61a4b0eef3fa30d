import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import {
  type ClaimedMail,
  claimMail,
  type MailDraft,
  type MailOutcome,
  queueMail,
  recordOutcome,
  sendDueMail,
} from '../../kernel/mail/mail-queue.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'

let database: TestDatabase
let modules: TestModules

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
})
afterAll(() => database.drop())
beforeEach(() => query('delete from sys_mail'))

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

const DRAFT: MailDraft = {
  to: { name: 'Ann', address: 'ann@example.com' },
  subject: 'Your password',
  text: 'https://erp.example.com/web/reset?token=secret',
  html: '<p>secret</p>',
}

const queue = (more: Partial<MailDraft> = {}) => modules.asSystem((env) => queueMail(env, { ...DRAFT, ...more }))

const claim = async (owner = 'one'): Promise<ClaimedMail> => {
  const mail = await claimMail(modules.services, owner)
  if (mail === null) throw new Error('nothing was due')
  return mail
}

const settle = (mail: ClaimedMail, outcome: MailOutcome) => recordOutcome(modules.services, mail, outcome)

const expireLeases = () => query("update sys_mail set lease_until = clock_timestamp() - interval '1 second'")

describe('a mail', () => {
  test('leaves if and only if the transaction that queued it commits', async () => {
    const undone = modules.asSystem(async (env) => {
      await queueMail(env, DRAFT)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await claimMail(modules.services, 'one')).toBeNull()
    await queue()
    expect(await claim()).toMatchObject({ to_address: 'ann@example.com', attempts: 1 })
  })

  test('has an id with the host of the public address, if there is one', async () => {
    await queue()
    expect((await claim()).message_id).toMatch(/^<[0-9a-f]{32}@modulus\.invalid>$/)
    const services = { ...modules.services, publicUrl: 'https://erp.example.com:8443' }
    await modules.asSystem((env) => queueMail({ ...env, services }, DRAFT))
    expect((await claim()).message_id).toMatch(/^<[0-9a-f]{32}@erp\.example\.com>$/)
  })

  test('with a key that is known is not queued again', async () => {
    expect(await queue({ dedupeKey: 'welcome 1' })).toEqual(expect.any(Number))
    expect(await queue({ dedupeKey: 'welcome 1' })).toBeNull()
    expect(await queue({ dedupeKey: 'welcome 2' })).toEqual(expect.any(Number))
  })

  test('that was sent keeps its row and loses its body', async () => {
    await queue()
    const sender = { send: async (): Promise<MailOutcome> => ({ kind: 'sent' }) }
    expect(await sendDueMail(modules.services, 'one', sender)).toBe('sent')
    expect(await sendDueMail(modules.services, 'one', sender)).toBeNull()
    expect(
      await query('select state, attempts, text, html, last_error, sent_at is not null as at from sys_mail'),
    ).toEqual([{ state: 'sent', attempts: 1, text: null, html: null, last_error: null, at: true }])
  })

  test('is claimed once, however many look', async () => {
    for (let i = 0; i < 40; i++) await queue()
    const ids: number[] = []
    const take = async (owner: string) => {
      for (;;) {
        const mail = await claimMail(modules.services, owner)
        if (mail === null) return
        ids.push(mail.id)
        await settle(mail, { kind: 'sent' })
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(take))
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(40)
  })
})

describe('an attempt that fails', () => {
  const later = async () => {
    const [row] = await query(
      'select state, round(extract(epoch from next_at - clock_timestamp()) / 60)::int as minutes from sys_mail',
    )
    return row
  }

  test.each(['deferred', 'unreachable', 'unclear'] as const)(
    'and is %s is repeated later and later, ten times in all',
    async (kind) => {
      await queue()
      const pauses: unknown[] = []
      for (let attempt = 1; attempt <= 9; attempt++) {
        await settle(await claim(), { kind, reason: 'not now' })
        const row = await later()
        expect(row).toMatchObject({ state: 'queued' })
        pauses.push(row!['minutes'])
        expect(await claimMail(modules.services, 'one')).toBeNull()
        await query('update sys_mail set next_at = clock_timestamp()')
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256])
      await settle(await claim(), { kind, reason: 'not now' })
      expect(await later()).toMatchObject({ state: 'failed' })
      expect(await query('select last_error, text is not null as kept from sys_mail')).toEqual([
        { last_error: 'not now', kept: true },
      ])
    },
  )

  test('for good is not repeated', async () => {
    await queue()
    await settle(await claim(), { kind: 'refused', reason: '550 no such user' })
    expect(await query('select state, last_error from sys_mail')).toEqual([
      { state: 'failed', last_error: '550 no such user' },
    ])
  })

  test('and is unclear is left to a person where the mail must not come twice', async () => {
    await queue({ policy: 'at_most_once' })
    await settle(await claim(), { kind: 'unclear', reason: 'cut' })
    expect(await later()).toMatchObject({ state: 'unknown' })
    expect(await claimMail(modules.services, 'one')).toBeNull()
  })
})

describe('a mail whose sender has gone', () => {
  test('is sent again under the same id', async () => {
    await queue()
    const first = await claim('dead')
    expect(await claimMail(modules.services, 'one')).toBeNull()
    await expireLeases()
    expect(await claim('alive')).toMatchObject({ message_id: first.message_id, attempts: 2, owner: 'alive' })
  })

  test('is left to a person where it must not come twice', async () => {
    await queue({ policy: 'at_most_once' })
    await claim('dead')
    await expireLeases()
    expect(await claimMail(modules.services, 'alive')).toBeNull()
    expect(await query('select state, attempts from sys_mail')).toEqual([{ state: 'unknown', attempts: 1 }])
  })

  test('ten times has failed', async () => {
    await queue()
    for (let i = 0; i < 10; i++) {
      await claim('dead')
      await expireLeases()
    }
    expect(await claimMail(modules.services, 'alive')).toBeNull()
    expect(await query('select state, attempts from sys_mail')).toEqual([{ state: 'failed', attempts: 10 }])
  })

  test('is no longer updated by a sender that was only slow', async () => {
    await queue()
    const slow = await claim('slow')
    await expireLeases()
    await claim('other')
    await settle(slow, { kind: 'refused', reason: 'late' })
    expect(await query('select state, owner, last_error from sys_mail')).toEqual([
      { state: 'sending', owner: 'other', last_error: null },
    ])
  })
})

describe('an address', () => {
  const refused = async (more: Partial<MailDraft>) => {
    await expect(queue(more)).rejects.toMatchObject({ code: 'VALIDATION' })
    expect(await query('select 1 from sys_mail')).toEqual([])
  }

  test.each([
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@@example.com',
    'ann@example.com@evil.example',
    '"ann"@example.com',
    '"ann@evil.example"@example.com',
    'ann@example.com\r\nBcc: eve@evil.example',
    'ann@example.com\nRCPT TO:<eve@evil.example>',
    'ann@example.com, eve@evil.example',
    'ann@example.com>',
    '<ann@example.com>',
    'Ann <ann@example.com>',
    'ann (comment)@example.com',
    '.ann@example.com',
    'ann.@example.com',
    'an..n@example.com',
    'ann@-example.com',
    'ann@exa mple.com',
    'ann@[127.0.0.1]',
    'ann@example..com',
    'ann@exämple.com',
    'änn@example.com',
    'ann@example.com\0',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a'.repeat(64)}.com`,
    `ann@${'a.'.repeat(130)}com`,
  ])('%j is refused', (address) => refused({ to: { name: 'Ann', address } }))

  test.each(['ann@example.com', "o'neil+tag@mail.example.co.uk", 'a.b-c_d@x1.de', 'root@localhost'])(
    '%j is taken',
    async (address) => {
      expect(await queue({ to: { name: '', address } })).toEqual(expect.any(Number))
    },
  )

  test.each(['Hello\r\nBcc: eve@evil.example', 'Hello\nX: y', 'a\u2028b', 'a\0b', 'x'.repeat(251)])(
    'does not help a name or a subject of more than one line: %j',
    async (text) => {
      await refused({ to: { name: text, address: 'ann@example.com' } })
      await refused({ subject: text })
    },
  )
})
