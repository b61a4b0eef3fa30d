import {
  canSendMail,
  composeDocument,
  conflict,
  type Env,
  htmlOfText,
  invalid,
  isLanguage,
  isMailAddress,
  mailPerson,
  renderDocument,
} from '#kernel'
import { postMessage } from '../../mail/chatter/post.ts'

export interface SendOptions {
  /** Whether the document is attached. */
  readonly isAttached: boolean
}

/** Mails an order to its customer, in the customer's language, and notes that in its chatter. */
export async function sendOrder(env: Env, orderId: number, { isAttached }: SendOptions): Promise<void> {
  const off = conflict('sale.mail_off', env.t('This service cannot send mail.'))
  // Checked first, so that no document is made in vain while other requests wait.
  if (!(await canSendMail(env))) throw off
  const [order] = await env.model('sale.order').read([orderId], ['name', 'partner_id', 'company_id', 'user_id'])
  const { name, partner_id, company_id, user_id } = order!
  const [customer] = await env.model('core.partner').read([partner_id[0]], ['name', 'email', 'lang'])
  const { email, lang } = customer!
  if (email === null || !isMailAddress(email))
    throw invalid('sale.no_address', {
      partner_id: env.t('{customer} has no e-mail address.', { customer: customer!.name }),
    })
  const document = await composeDocument(env, { model: 'sale.order', id: orderId, document: 'quotation' })
  const { title } = document.content
  const rendered = isAttached ? [await renderDocument(env, document)] : []
  const { t } = lang !== null && isLanguage(lang) ? env.inLanguage(lang) : env
  const isSent = await mailPerson(env, {
    to: { name: customer!.name, address: email },
    subject: company_id?.[1] ? `${title}, ${company_id[1]}` : title,
    text: [
      t('Dear customer,'),
      isAttached ? t('please find attached: {document}.', { document: title }) : `${title}.`,
      t('If you have any questions, just answer this mail.'),
      [t('Kind regards'), user_id?.[1], company_id?.[1]].filter(Boolean).join('\n'),
    ].join('\n\n'),
    attachments: rendered.map((each) => ({ name: `${each.name}.pdf`, type: 'application/pdf', content: each.file })),
  })
  if (!isSent) throw off
  const body = htmlOfText(env.t('{order} is being sent to {address}.', { order: name ?? title, address: email }))
  await postMessage(env, { model: 'sale.order', id: orderId, body, kind: 'note' })
}
