import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { findViolations } from './find-violations.ts'
import { type ClientFixture, PASSWORD, useClient } from './fixture.ts'

const PAGE = '/web/settings/operations'

/** The administrator can be reached by mail, and reads this language. */
const prepare = (client: ClientFixture, lang = 'en') =>
  client.modules().asSystem(async (env) => {
    const ids = await env.model('core.user').search([['login', '=', 'admin']])
    await env.model('core.user').write(ids, { email: 'elena@example.com', lang })
  })

describe('settings of outgoing mail', () => {
  const client = useClient()
  let sink: SmtpSink
  beforeAll(async () => {
    sink = await startSmtpSink()
    await prepare(client)
  })
  afterAll(() => sink.close())

  test('are tried and saved by mouse and keyboard, and the next mail goes out by them', async () => {
    const { page, go, complaints } = await client.signIn()
    await go(PAGE)
    const mail = page.getByRole('region', { name: 'Outgoing mail' })
    await mail.getByText('Not set up').waitFor()
    expect(await findViolations(page)).toEqual([])

    // What is missing is said before anything is sent.
    await mail.getByRole('button', { name: /Send a test/ }).click()
    await mail.getByText('The name of the server is needed.').waitFor()
    await mail.getByLabel('Server').fill('127.0.0.1')
    await mail.getByLabel('Encryption').selectOption('TLS from the first byte')
    expect(await mail.getByLabel('Port').inputValue()).toBe('465')
    await mail.getByLabel('Encryption').selectOption('STARTTLS')
    expect(await mail.getByLabel('Port').inputValue()).toBe('587')
    await mail.getByLabel('Port').fill(String(sink.port))
    await mail.getByLabel('Account').fill('erp')
    await mail.getByLabel('Password').fill('pass word')
    await mail.getByLabel('Sender').fill('Alder <erp@example.com>')

    sink.troubles.push({ at: 'auth', answer: '535 wrong account' })
    await mail.getByRole('button', { name: /Send a test/ }).click()
    const told = mail.getByRole('status')
    await told.getByText('The mail server did not accept account and password.').waitFor()
    await told.getByText('The mail server said: 535 wrong account').waitFor()
    expect(await told.getByRole('listitem').filter({ hasText: 'works' }).count()).toBe(2)
    await told.getByRole('listitem').filter({ hasText: 'Encryption: not encrypted' }).waitFor()
    expect(await findViolations(page)).toEqual([])

    // The key of the page, once no field has the focus.
    await page.keyboard.press('Tab')
    await mail.getByRole('button', { name: /Send a test/ }).focus()
    await page.keyboard.press('t')
    await told
      .getByText('The mail server has taken a test to elena@example.com. The connection was not encrypted.')
      .waitFor()
    expect(sink.received).toMatchObject([{ auth: 'erp:pass word', to: ['elena@example.com'] }])
    expect(await findViolations(page)).toEqual([])

    // Whoever entered the password long ago enters it again.
    await client.modules().services.db.updateTable('sys_session').set({ reauth_at: null }).execute()
    await mail.getByLabel('Sender').focus()
    await page.keyboard.press('Enter')
    const again = page.getByRole('dialog')
    await again.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await mail.getByText('Set up', { exact: true }).waitFor()
    expect(await mail.getByLabel('Password').getAttribute('placeholder')).toBe('Kept, not shown')
    expect(await mail.getByLabel('Password').inputValue()).toBe('')
    expect(await page.content()).not.toContain('pass word')
    // The button has nothing left to do then: the focus stays in the form.
    await mail.getByLabel('Sender').fill('Alder & Finch <erp@example.com>')
    await mail.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => mail.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await expect.poll(() => mail.getByLabel('Server').evaluate((field) => field === document.activeElement)).toBe(true)

    await client.modules().asSystem(async ({ tx }) => {
      const waiting = { to_name: 'Ann', to_address: 'ann@example.com', subject: 'Quotation S00151', text: 'Hello' }
      await tx
        .insertInto('sys_mail')
        .values({ ...waiting, message_id: '<1@x>', state: 'failed', attempts: 10, last_error: 'no such mailbox' })
        .execute()
    })
    await go(PAGE)
    const queue = page.getByRole('region', { name: 'Mail queue' })
    await queue.getByText('no such mailbox').waitFor()
    await page.keyboard.press('r')
    await queue.getByText(/^Sent, /).waitFor()
    expect(sink.received.at(-1)).toMatchObject({ auth: 'erp:pass word', to: ['ann@example.com'] })

    // The password is kept for this server only, and what is not saved asks before it is left.
    await mail.getByLabel('Server').fill('localhost')
    await mail.getByText('Enter it again: it is kept for one server and account only.').waitFor()
    await page.keyboard.press('Control+s')
    await mail.getByText('Enter the password again: the one that is kept').waitFor()
    await page.getByRole('link', { name: 'Access rights' }).click()
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await mail.getByRole('button', { name: 'Discard' }).click()
    expect(await mail.getByLabel('Server').inputValue()).toBe('127.0.0.1')
    await mail.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove the mail server?' }).getByRole('button', { name: 'Remove' }).click()
    await mail.getByText('Not set up').waitFor()
    expect(await mail.getByLabel('Server').inputValue()).toBe('')
    const { rows } = await sql`
      select detail from sys_audit where subject = 'outgoing mail' order by id`.execute(client.modules().services.db)
    expect(rows).toEqual([
      { detail: 'host, port, secure, user, password, from' },
      { detail: 'from' },
      { detail: 'deleted' },
    ])
    // Refusals of the server that the page has asked for.
    expect(complaints.filter((text) => !/40[13]|422/.test(text))).toEqual([])
    await page.context().close()
  })

  test('read German, in the dark and on a phone', async () => {
    await prepare(client, 'de')
    const { page, go } = await client.signIn('admin', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await go(PAGE)
    const mail = page.getByRole('region', { name: 'Ausgehende E-Mail' })
    await mail.getByLabel('Server').fill('mail.invalid')
    await mail.getByLabel('Absender').fill('erp@example.com')
    await mail.getByRole('button', { name: /Test senden/ }).click()
    await mail.getByText('Einen Server mit diesem Namen gibt es nicht.').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.context().close()
    await prepare(client)
  })
})

describe('settings of mail that the service was started with', () => {
  const client = useClient({ SVC_SMTP_HOST: '127.0.0.1', SVC_SMTP_PORT: '9', SVC_SMTP_FROM: 'erp@example.com' })
  beforeAll(() => prepare(client))

  test('are shown with where they stand, and can only be tested', async () => {
    const { page, go, complaints } = await client.signIn()
    await go(PAGE)
    const mail = page.getByRole('region', { name: 'Outgoing mail' })
    for (const place of ['SVC_SMTP_HOST', 'SVC_SMTP_PORT', 'SVC_SMTP_FROM']) await mail.getByText(place).waitFor()
    expect(await mail.getByRole('textbox').count()).toBe(0)
    await page.keyboard.press('t')
    await mail.getByRole('status').getByText('nothing answers at this port').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
