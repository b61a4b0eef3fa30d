import type { Services } from '../services.ts'
import { issueCsrfToken } from './csrf.ts'
import type { Caller } from './principal.ts'

/** The token that pages of this caller send back with every change; a key needs none. */
export const csrfTokenFor = ({ credential }: Caller, { random }: Services): string =>
  credential.kind === 'session' ? issueCsrfToken(credential.csrfSecret, random) : ''
