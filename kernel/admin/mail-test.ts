import type { Env } from '../env.ts'
import { conflict } from '../errors.ts'
import { newMessageId } from '../mail/mail-queue.ts'
import { type MailServer, readMailSetup } from '../mail/mail-server.ts'
import type { MailStep, MailTrial, MailTrouble } from '../mail/mail-trial.ts'
import { readAddress } from '../mail/recipient.ts'
import { requireOwnSettings, serverOfInput } from './mail-settings.ts'
import type { WireMailInput, WireMailStep, WireMailTest } from './wire-operations.ts'

/** Sends a mail to the administrator who asks, at once, with settings that need not be saved; null: with the current ones. */
export async function testMail(env: Env, input: WireMailInput | null): Promise<WireMailTest> {
  if (input !== null) requireOwnSettings(env)
  const server = input === null ? await currentServer(env) : await serverOfInput(env, input)
  const { t, services, user } = env
  const to = await readAddress(env, user.id)
  if (to === null) throw conflict('business_rule', t('No test can be sent: you have no mail address.'))
  const trial = await services.mail!.try(server, {
    to,
    subject: t('Test of outgoing mail'),
    text: t('This mail shows that the service can send mail.'),
    messageId: newMessageId(services),
  })
  return toWire(env, trial, to.address)
}

async function currentServer(env: Env): Promise<MailServer> {
  const setup = await readMailSetup(env.services, env.tx)
  if (setup.kind === 'ready') return setup.server
  throw conflict(
    'business_rule',
    setup.kind === 'locked'
      ? env.t('No test can be sent: the password that is kept cannot be opened. Enter it again.')
      : env.t('No test can be sent: this service has no mail server.'),
  )
}

const STEPS = ['name', 'connection', 'encryption', 'sign_in', 'message'] as const satisfies readonly MailStep[]

const labelsOf = ({ t }: Env): Readonly<Record<MailStep, string>> => ({
  name: t('Server found'),
  connection: t('Server answers'),
  encryption: t('Encryption'),
  sign_in: t('Sign-in'),
  message: t('Message taken'),
})

function toWire(env: Env, trial: MailTrial, address: string): WireMailTest {
  const labels = labelsOf(env)
  const failed = trial.ok ? STEPS.length : STEPS.indexOf(trial.step)
  const stateOf = (index: number): WireMailStep['state'] => {
    if (index >= failed) return index === failed ? 'failed' : 'open'
    return STEPS[index] === 'encryption' && !trial.isEncrypted ? 'without' : 'done'
  }
  return {
    ok: trial.ok,
    steps: STEPS.map((step, index) => ({ label: labels[step], state: stateOf(index) })),
    text: trial.ok ? takenText(env, trial, address) : wordsOf(env)[trial.trouble],
    answer: trial.ok ? null : trial.answer,
  }
}

const takenText = ({ t }: Env, { isEncrypted }: MailTrial, address: string): string =>
  isEncrypted
    ? t('The mail server has taken a test to {address}.', { address })
    : t('The mail server has taken a test to {address}. The connection was not encrypted.', { address })

const wordsOf = ({ t }: Env): Readonly<Record<MailTrouble, string>> => ({
  host_unknown: t('There is no server of this name. Check how it is written.'),
  refused: t('The server is there, but nothing answers at this port. Check the port.'),
  unreachable: t('There is no way to this server from here: a network or a firewall is in between.'),
  no_answer: t('The server did not answer in time. Check the port, and whether a firewall is in between.'),
  no_mail_server: t(
    'Something answers at this port, but not as a mail server does. Check the port: 587 is usual for STARTTLS, 465 for TLS.',
  ),
  turned_away: t('The mail server takes nothing from this service at the moment.'),
  no_tls: t(
    'The mail server offers no encryption at this port. No password is sent without it; use TLS, or another port.',
  ),
  certificate: t(
    'The certificate of the mail server is not valid, or is for another name. Check the name of the server.',
  ),
  tls: t('No encrypted connection could be made. Check the port: 587 is usual for STARTTLS, 465 for TLS.'),
  no_sign_in: t('The mail server takes no password here. Leave account and password empty, or use another port.'),
  sign_in_refused: t('The mail server did not accept account and password.'),
  sender_refused: t('The mail server does not let this account send from this sender.'),
  recipient_refused: t('The mail server does not take mail to your address.'),
  message_refused: t('The mail server did not take the message.'),
  broken: t('The mail server has ended the connection.'),
})
