import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError, composeDocument, renderDocument } from '#kernel'
import type { DocumentContent, RenderOptions } from '../../../kernel/document/content.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import { type ClaimedMail, claimMail, recordOutcome } from '../../../kernel/mail/mail-queue.ts'
import { declaredContent } from '../../../kernel/report/declared.ts'
import { actOnRecords } from '../../../kernel/workspace/act-on-records.ts'
import { configuredMailPort } from '../../../test/support/mail-port.ts'
import { checkPdf, pdfInfo, pdfText } from '../../../test/support/pdf.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
})
afterAll(() => people.leave())

/** An order with three lines for a customer with this language. */
const createOrder = (lang: string | null) =>
  people.as('demo@example.com', async (env) => {
    const partner = await env.model('core.partner').create({
      name: 'Ishida Interiors',
      street: 'Königsallee 27',
      zip: '40212',
      city: 'Düsseldorf',
      ref: 'C-0418',
      email: 'office@ishida.example',
      lang,
    })
    const taxes = await env.model('sale.tax').searchRead([['name', 'in', ['19 %', '7 %']]], ['name'])
    const tax = (name: string) => [[6, 0, [taxes.find((each) => each.name === name)!.id]]] as const
    const [currency] = await env.model('core.currency').search([['name', '=', 'EUR']])
    return env.model('sale.order').create({
      partner_id: partner,
      client_ref: 'Flagship store',
      currency_id: currency!,
      date_order: '2026-11-14T10:00:00Z',
      validity_date: '2026-12-14',
      note: '<p>Payment within 30 days.</p><ul><li>Goods stay ours</li><li>Until paid</li></ul>',
      line_ids: [
        [0, 0, { name: 'Display table\nSolid oak, oiled', quantity: 6, price_unit: 1240, tax_ids: tax('19 %') }],
        [0, 0, { name: 'Wall shelf', quantity: 8, price_unit: 865, discount: 5, tax_ids: tax('19 %') }],
        [0, 0, { name: 'Planter', quantity: 8, price_unit: 96, tax_ids: tax('7 %') }],
      ],
    })
  })

const print = (id: number, login = 'demo@example.com') =>
  people.as(login, async (env) =>
    renderDocument(env, await composeDocument(env, { model: 'sale.order', id, document: 'quotation' })),
  )

test('a quotation is a letter with address, lines, taxes, total and terms', async () => {
  const { name, file } = await print(await createOrder('en'))
  expect(name).toMatch(/^Quotation S\d+$/)
  checkPdf(file)
  expect(pdfInfo(file)).toMatchObject({ Title: name, Tagged: 'yes' })
  const text = pdfText(file)
  for (const part of [
    'Ishida Interiors',
    '40212 Düsseldorf',
    'Date 14 November 2026',
    'Valid until 14 December 2026',
    'Customer no. C-0418',
    'Flagship store',
    'Solid oak, oiled',
    'Untaxed Amount 14,782.00',
    'VAT 7 % on 768.00 53.76',
    'VAT 19 % on 14,014.00 2,662.66',
    'Total Amount €17,498.42',
    'Payment within 30 days.',
    '• Goods stay ours',
    'Signature, stamp',
    'Page 1 of 1',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/2 Wall shelf 8 865\.00 5 ?% 19 ?% 6,574\.00/)
})

test('a letter needs neither lines nor amounts', async () => {
  const id = await createOrder('en')
  const { blocks } = await people.as('demo@example.com', (env) =>
    declaredContent(
      env,
      {
        name: 'thanks',
        model: 'sale.order',
        title: 'Thank you for',
        number: 'name',
        address: [['partner_id']],
        facts: [],
        texts: [{ heading: 'Terms', path: 'note' }],
      },
      id,
    ),
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['address', 'title', 'text'])
})

test('it is in the language of the customer, whatever the language of the user who prints it', async () => {
  const { name, file } = await print(await createOrder('de'))
  expect(name).toMatch(/^Angebot S\d+$/)
  const text = pdfText(file)
  for (const part of [
    'Datum 14. November 2026',
    'Gültig bis 14. Dezember 2026',
    'Nettobetrag 14.782,00',
    'USt. 19 % auf 14.014,00 2.662,66',
    'Gesamtbetrag 17.498,42 €',
    'Unterschrift, Stempel',
    'Seite 1 von 1',
  ])
    expect(text).toContain(part)
  const own = await print(await createOrder(null))
  expect(own.name).toMatch(/^Quotation/)
})

test.each([
  ['IE', '14 November 2026', '€17,498.42'],
  ['US', 'November 14, 2026', '€17,498.42'],
  ['JP', '14 November 2026', '€17,498.42'],
])('in English it writes days and figures as a customer in %s does', async (code, day, total) => {
  const id = await createOrder('en')
  await people.asSystem(async (env) => {
    const [country_id] = await env.model('core.country').search([['code', '=', code]])
    const [order] = await env.model('sale.order').read([id], ['partner_id'])
    await env.model('core.partner').write([order!.partner_id[0]], { country_id: country_id! })
  })
  const text = pdfText((await print(id)).file)
  expect(text).toContain(`Date ${day}`)
  expect(text).toContain(`Total Amount ${total}`)
})

test('a confirmed order has another title and nothing to sign; a rate that has changed leaves one sum of taxes', async () => {
  const id = await createOrder('en')
  await people.as('demo@example.com', (env) => env.model('sale.order').call([id], 'action_confirm'))
  await people.asSystem(async (env) => {
    const [tax] = await env.model('sale.tax').search([['name', '=', '7 %']])
    await env.model('sale.tax').write([tax!], { amount: 8 })
  })
  const { name, file } = await print(id)
  expect(name).toMatch(/^Order Confirmation S/)
  const text = pdfText(file)
  expect(text).not.toContain('Signature')
  expect(text).toContain('Taxes 2,716.42')
})

test('lines that fill more than a page go on with their header, and the terms follow', async () => {
  const id = await createOrder('en')
  await people.as('demo@example.com', (env) =>
    env.model('sale.order').write([id], {
      line_ids: Array.from({ length: 40 }, (_, i) => [0, 0, { name: `Item ${i}\nwith details`, price_unit: i }]),
    }),
  )
  const { file } = await print(id)
  const pages = pdfText(file).split('\f').slice(0, -1)
  expect(pages.length).toBeGreaterThan(1)
  expect(pages[1]).toContain('Quotation S')
  expect(pages[1]).toMatch(/No\. Item/)
  for (let i = 0; i < 40; i++) expect(pages.join()).toContain(`Item ${i}`)
})

test('the button of the form opens it; a user who may not read the order does not get it', async () => {
  const id = await createOrder('en')
  const answer = await people.as('demo@example.com', (env) => env.model('sale.order').call([id], 'action_print'))
  expect(answer).toEqual({ redirect: `/web/export/pdf?model=sale.order&id=${id}&document=quotation` })
  await expect(print(id, 'ann')).rejects.toBeInstanceOf(AppError)
  const unknown = people.as('demo@example.com', (env) =>
    composeDocument(env, { model: 'sale.order', id, document: 'invoice' }),
  )
  await expect(unknown).rejects.toMatchObject({ reason: 'document_unknown' })
})

test('"Send by e-mail" mails it to the customer with the file, in the language of the customer, and marks it as sent', async () => {
  const id = await createOrder('de')
  const send = (vals = {}) =>
    withMail(() =>
      people.as('demo@example.com', (env) => env.model('sale.order').call([id], 'action_send_email', vals)),
    )
  await send()
  const [mail] = await claimAll()
  expect(mail).toMatchObject({ to_address: 'office@ishida.example', subject: expect.stringMatching(/^Angebot S\d+/) })
  expect(mail!.text).toContain('im Anhang finden Sie: Angebot S')
  expect(mail!.attachments).toMatchObject([
    { name: expect.stringMatching(/^Angebot S\d+\.pdf$/), type: 'application/pdf' },
  ])
  expect(pdfText(new Uint8Array(mail!.attachments[0]!.content))).toContain('Seite 1 von 1')
  const { state, notes } = await people.as('demo@example.com', async (env) => ({
    state: (await env.model('sale.order').read([id], ['state']))[0]!.state,
    notes: await env
      .sudo('a test')
      .model('mail.message')
      .count([
        ['model', '=', 'sale.order'],
        ['res_id', '=', id],
        ['kind', '=', 'note'],
      ]),
  }))
  expect({ state, notes }).toEqual({ state: 'sent', notes: 1 })
  await send({ attach: '0' })
  expect(await claimAll()).toMatchObject([{ attachments: [] }])
})

test('a document is made only if it is attached to a mail, and a request that would wait long is refused', async () => {
  const id = await createOrder('en')
  const { services } = people.modules
  const { documents } = services
  const asked: RenderOptions[] = []
  Object.assign(services, {
    documents: {
      async render(_content: unknown, options: RenderOptions) {
        asked.push(options)
        return null
      },
    },
  })
  const send = (vals = {}) =>
    people.as('demo@example.com', (env) => env.model('sale.order').call([id], 'action_send_email', vals))
  try {
    await expect(send()).rejects.toMatchObject({ reason: 'sale.mail_off' })
    await withMail(() => send({ attach: '0' }))
    expect(asked).toEqual([])
    await expect(withMail(send)).rejects.toMatchObject({ reason: 'busy' })
    expect(asked).toMatchObject([{ subject: expect.stringMatching(/^u:\d+$/), waitMs: LIMITS.pdfHeldWaitMs }])
  } finally {
    Object.assign(services, { documents })
  }
  expect(await claimAll()).toMatchObject([{ attachments: [] }])
})

test('a trial of sending makes no document, and no mail of it is counted; one that is sent is counted when it is stored', async () => {
  const id = await createOrder('en')
  const { services, observed } = people.modules
  const { documents } = services
  let made = 0
  Object.assign(services, {
    documents: {
      async render(content: DocumentContent, options: RenderOptions) {
        made++
        return documents!.render(content, options)
      },
    },
  })
  const counted = () => observed.filter((each) => each.kind === 'mail' && each.outcome === 'queued').length
  const before = counted()
  const act = (isTrial: boolean) =>
    withMail(() =>
      people.as('demo@example.com', async (env) => {
        const model = env.registry.model('sale.order')!
        const answer = await actOnRecords(env, { model, ids: [id], action: 'action_send_email', vals: {}, isTrial })
        return { answer, countedSoFar: counted() - before }
      }),
    )
  try {
    expect(await act(true)).toMatchObject({ answer: { possible: [id], refused: [] } })
    expect([made, counted() - before]).toEqual([0, 0])
    expect(await act(false)).toMatchObject({ answer: { done: [id] }, countedSoFar: 0 })
    expect([made, counted() - before]).toEqual([1, 1])
  } finally {
    Object.assign(services, { documents })
  }
  expect(await claimAll()).toHaveLength(1)
})

test('nothing is sent without an address or without a mail server', async () => {
  const id = await createOrder('en')
  const send = () => people.as('demo@example.com', (env) => env.model('sale.order').call([id], 'action_send_email'))
  await expect(send()).rejects.toMatchObject({ reason: 'sale.mail_off' })
  await people.asSystem(async (env) => {
    const [order] = await env.model('sale.order').read([id], ['partner_id'])
    await env.model('core.partner').write([order!.partner_id[0]], { email: null })
  })
  await expect(withMail(send)).rejects.toMatchObject({ reason: 'sale.no_address' })
  expect(await claimAll()).toEqual([])
})

/** Lets the service send mail for a moment. */
async function withMail<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(people.modules.services, { mail: configuredMailPort() })
  return work().finally(() => Object.assign(people.modules.services, { mail: undefined }))
}

/** Takes every waiting mail, with its files, and marks it as sent. */
async function claimAll(): Promise<ClaimedMail[]> {
  const mails: ClaimedMail[] = []
  for (;;) {
    const mail = await claimMail(people.modules.services, 'test')
    if (mail === null) return mails
    mails.push(mail)
    await recordOutcome(people.modules.services, mail, { kind: 'sent' })
  }
}
