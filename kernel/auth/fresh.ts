import { accessDenied } from '../errors.ts'
import type { Caller, SessionCredential } from './principal.ts'

/** The page that asks for the password again. */
export const CONFIRM_PATH = '/web/confirm'

/** The caller's session, if the password was entered within the last ten minutes; dangerous actions require that. */
export function requireFresh({ credential }: Caller): SessionCredential {
  if (credential.kind === 'session' && credential.isFresh) return credential
  throw accessDenied('confirm_password', 'Confirm with your password that it is you, then try again.', {
    confirm: CONFIRM_PATH,
  })
}
