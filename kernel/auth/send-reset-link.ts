import { asKernel, type Env } from '../env.ts'
import { pageTranslator } from '../i18n/page-words.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { canSendMail } from '../mail/mail-server.ts'
import { addressOf, readRecipient } from '../mail/recipient.ts'
import { createResetLink } from './reset.ts'

/** Mails a user a reset link. False when the user has no mail address. */
export async function sendResetLink(env: Env, userId: number): Promise<boolean> {
  const user = await readRecipient(env, userId)
  if (!user) return false
  const t = pageTranslator(user.lang)
  const link = await createResetLink(env, userId)
  await queueMail(env, {
    to: user.mailbox,
    subject: t('Choose a new password'),
    text: [
      t('Hello {name},', { name: user.mailbox.name }),
      t('with this link you can choose a new password. It works once, for half an hour:'),
      link,
      t('If you did not ask for it, you need not do anything.'),
    ].join('\n\n'),
  })
  return true
}

/** Mails a new user a link to choose the first password. False when the user has no mail address. */
export async function sendInvitation(env: Env, userId: number): Promise<boolean> {
  const user = await readRecipient(env, userId)
  if (!user) return false
  const t = pageTranslator(user.lang)
  const link = await createResetLink(env, userId, { isInvitation: true })
  await queueMail(env, {
    to: user.mailbox,
    subject: t('Your invitation'),
    text: [
      t('Hello {name},', { name: user.mailbox.name }),
      t(
        'you have been invited to work here. With this link you choose your password and sign in. It works once, for a week:',
      ),
      link,
    ].join('\n\n'),
  })
  return true
}

/** Mails a user that the password was changed, so that a change by another person is noticed. */
export async function sendPasswordNotice(env: Env, userId: number): Promise<void> {
  const user = await readRecipient(env, userId)
  if (!user) return
  const t = pageTranslator(user.lang)
  await queueMail(env, {
    to: user.mailbox,
    subject: t('Your password was changed'),
    text: [
      t('Hello {name},', { name: user.mailbox.name }),
      t('your password has just been changed, and every session of yours was ended.'),
      t('If that was not you, tell your administrator at once.'),
    ].join('\n\n'),
  })
}

/** The login and e-mail address of a user before a change. */
export interface OldAddress {
  readonly login: string | null
  readonly email: string | null
}

/** Mails the old address of a user that the login or e-mail address was changed, so that a change by another person is noticed. */
export async function sendAddressNotice(env: Env, userId: number, old: OldAddress): Promise<void> {
  const address = addressOf(old)
  if (address === undefined || !(await canSendMail(env))) return
  const [user] = await asKernel(env).model('core.user').read([userId], ['name', 'lang'])
  if (!user) return
  const t = pageTranslator(user.lang)
  await queueMail(env, {
    to: { name: user.name, address },
    subject: t('Your login or e-mail address was changed'),
    text: [
      t('Hello {name},', { name: user.name }),
      t('the login or e-mail address of your account has just been changed.'),
      t('If that was not you, tell your administrator at once.'),
    ].join('\n\n'),
  })
}
