import type { Caller } from '../auth/principal.ts'
import { rotateSession } from '../auth/session.ts'
import type { Answer } from '../http/respond.ts'
import type { Exchange } from './route.ts'

/** Rotates an old session token, on requests that only read. */
export async function renewSession(
  { services, request }: Exchange,
  { credential }: Caller,
  answer: Answer,
): Promise<Answer> {
  if (credential.kind !== 'session' || !credential.isDue || request.method !== 'GET' || answer.cookies?.length)
    return answer
  const cookie = await rotateSession(services, credential.tokenHash)
  return cookie === null ? answer : { ...answer, cookies: [cookie] }
}
