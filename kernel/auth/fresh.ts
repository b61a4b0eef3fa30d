import { accessDenied } from '../errors.ts'
import type { Caller, SessionCredential } from './principal.ts'

/** Where people prove again who they are. */
export const CONFIRM_PATH = '/web/confirm'

/** The session of a caller who gave the password within the last ten minutes; what is dangerous asks for that. */
export function requireFresh({ credential }: Caller): SessionCredential {
  if (credential.kind === 'session' && credential.isFresh) return credential
  throw accessDenied('confirm_password', 'Confirm with your password that it is you, then try again.', {
    confirm: CONFIRM_PATH,
  })
}
