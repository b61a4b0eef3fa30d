import type { CredentialRight, Env } from '../env.ts'
import { type AppError, accessDenied } from '../errors.ts'
import type { Caller, SessionCredential } from './principal.ts'

/** The page that asks for the password again. */
export const CONFIRM_PATH = '/web/confirm'

/** The caller's session, if the password was entered within the last ten minutes; dangerous actions require that. */
export function requireFresh({ credential }: Caller): SessionCredential {
  if (credential.kind === 'session' && credential.isFresh) return credential
  throw confirmFirst()
}

/** Refuses a change of a login, an e-mail address, a password, groups or keys to a caller who may not make it now. */
export function requireCredentialRight({ isSudo, user }: Env): void {
  if (isSudo || user.credentials === 'allowed') return
  throw REFUSALS[user.credentials]()
}

const confirmFirst = () =>
  accessDenied('confirm_password', 'Confirm with your password that it is you, then try again.', {
    confirm: CONFIRM_PATH,
  })

const REFUSALS: Readonly<Record<Exclude<CredentialRight, 'allowed'>, () => AppError>> = {
  after_password: confirmFirst,
  never: () => accessDenied('key_scope', 'The scope of this API key does not cover credentials of users.'),
}
