import { type MailOutcome, type MailSender, sendDueMail } from '../../kernel/mail/mail-queue.ts'
import { type MailServer, readMailSetup } from '../../kernel/mail/mail-server.ts'
import type { MailPort, MailTrial, MailTrouble } from '../../kernel/mail/mail-trial.ts'
import type { Services } from '../../kernel/services.ts'
import { deliver, type FailedMailDelivery, type MailDelivery } from './deliver.ts'

/** Shorter than the lease of a mail. */
const WHOLE_MS = 90_000
const TRIAL_MS = 20_000
const MAX_ANSWER_CHARS = 300
/** Mails that one trigger sends at most; the next one sends the others. */
const MAILS = 50
const BEGIN_MS = 20_000
const LOCKED =
  'The mail password in the database was kept by a process with another secret (SECRET_KEY). Mails wait until it is entered again.'

/** Sends due mails with the mail server that administrators have entered. Stops if the server accepts none. */
export async function sendMails(services: Services): Promise<void> {
  const begun = services.clock().getTime()
  for (let tried = 0; tried < MAILS && services.clock().getTime() - begun < BEGIN_MS; tried++) {
    const setup = await readMailSetup(services, services.db)
    if (setup.kind === 'locked') services.observe({ kind: 'warning', text: LOCKED })
    if (setup.kind !== 'ready') return
    const outcome = await sendDueMail(services, 'worker', senderOf(setup.server, services))
    if (outcome === null || outcome === 'unreachable' || outcome === 'unclear') return
  }
}

const senderOf = (server: MailServer, { clock }: Pick<Services, 'clock'>): MailSender => ({
  async send({ to_name: name, to_address: address, message_id: messageId, subject, text, html, attachments }) {
    const content = { subject, text, html, attachments, messageId }
    return outcomeOf(
      await deliver(server, { ...content, from: server.from, to: { name, address }, date: clock() }, WHOLE_MS),
    )
  },
})

/** An answer to the mail itself decides: 5xx is permanent, 4xx temporary. */
function outcomeOf(delivery: MailDelivery): MailOutcome {
  if (delivery.ok) return { kind: 'sent' }
  const { step, code, isOffered, reason } = delivery
  if (step === 'message' && code !== null) return { kind: code >= 500 ? 'refused' : 'deferred', reason }
  return { kind: isOffered ? 'unclear' : 'unreachable', reason }
}

/** How a worker sends mail: with the settings in the database. */
export const workerMail = (services: Pick<Services, 'clock'>): MailPort => ({
  configured: null,
  async try(server, mail) {
    const message = { ...mail, from: server.from, html: null, attachments: [], date: services.clock() }
    return trialOf(await deliver(server, message, TRIAL_MS))
  },
})

function trialOf(delivery: MailDelivery): MailTrial {
  const { isEncrypted } = delivery
  if (delivery.ok) return { ok: true, isEncrypted }
  const { step, cause, code, reason } = delivery
  const answer = code === null ? null : reason.slice(0, MAX_ANSWER_CHARS)
  return { ok: false, isEncrypted, step, trouble: TROUBLES[step][cause], answer }
}

const TROUBLES: Readonly<
  Record<FailedMailDelivery['step'], Readonly<Record<FailedMailDelivery['cause'], MailTrouble>>>
> = {
  connection: {
    ...{ refused: 'turned_away', foreign: 'no_mail_server', lacking: 'no_mail_server' },
    ...{ late: 'no_answer', broken: 'unreachable' },
  },
  encryption: { refused: 'tls', foreign: 'tls', lacking: 'no_tls', late: 'no_answer', broken: 'tls' },
  sign_in: {
    refused: 'sign_in_refused',
    foreign: 'broken',
    lacking: 'no_sign_in',
    late: 'no_answer',
    broken: 'broken',
  },
  message: { refused: 'message_refused', foreign: 'broken', lacking: 'broken', late: 'no_answer', broken: 'broken' },
}
