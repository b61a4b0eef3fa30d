import type { Services } from '../services.ts'
import { issueCsrfToken } from './csrf.ts'
import type { Caller } from './principal.ts'

/** The token that this caller's pages send with every change. Callers with an API key need none. */
export const csrfTokenFor = ({ credential }: Caller, { random }: Services): string =>
  credential.kind === 'session' ? issueCsrfToken(credential.csrfSecret, random) : ''
