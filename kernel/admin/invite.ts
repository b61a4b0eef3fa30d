import { requireOwnUsers } from '../access/own-users.ts'
import { audit } from '../audit.ts'
import { createResetLink, endLinks } from '../auth/reset.ts'
import { sendInvitation, sendResetLink } from '../auth/send-reset-link.ts'
import { asKernel, type Env } from '../env.ts'
import { invalid } from '../errors.ts'
import { readPerson } from './people.ts'
import type { WireInvited } from './wire-people.ts'

/** mail: the service sends it. link: the administrator hands it over. */
export type InviteBy = 'mail' | 'link'

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly group_ids: readonly number[]
  /** At least one; the first is the own company. */
  readonly company_ids: readonly number[]
  readonly by: InviteBy
}

/** Creates a user, as any administrator may, and a link with which the user chooses a password. */
export async function invitePerson(
  env: Env,
  { name, email, group_ids, company_ids, by }: NewPerson,
): Promise<WireInvited> {
  const id = await env.model('core.user').create({
    name,
    login: email,
    email,
    group_ids: [...group_ids],
    company_ids: [...company_ids],
    company_id: company_ids[0]!,
  })
  return sendLink(env, id, by)
}

/** A new link with which a user chooses the first password or a new one. The administrator never sees the password. */
export async function sendLink(env: Env, id: number, by: InviteBy): Promise<WireInvited> {
  const person = await readPerson(env, id)
  const { invitation, active, name } = person
  await requireOwnUsers(env, [id])
  if (!active) throw invalid('check_failed', { active: env.t('A deactivated user cannot sign in.') })
  await endLinks(env, id)
  await audit(env, [{ kind: 'user_invited', subject: name, detail: by }])
  const isInvitation = invitation !== null
  if (by === 'link') return { id, mailed: false, link: await createResetLink(env, id, { isInvitation }) }
  const send = isInvitation ? sendInvitation : sendResetLink
  if (!(await send(asKernel(env), id)))
    throw invalid('check_failed', { email: env.t('No mail can be sent to this user. Copy the link instead.') })
  return { id, mailed: true, link: null }
}
