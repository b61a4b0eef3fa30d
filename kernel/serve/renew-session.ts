import type { Caller } from '../auth/principal.ts'
import { rotateSession } from '../auth/session.ts'
import type { Answer } from '../http/respond.ts'
import type { Exchange } from './route.ts'

/** Rotates an old session token, on requests that only read and whose answer can carry a cookie; the answer to an upgrade cannot. */
export async function renewSession(
  { services, request }: Exchange,
  { credential }: Caller,
  answer: Answer,
): Promise<Answer> {
  const takesCookie = request.method === 'GET' && answer.status !== 101 && !answer.cookies?.length
  if (credential.kind !== 'session' || !credential.isDue || !takesCookie) return answer
  const cookie = await rotateSession(services, credential.tokenHash)
  return cookie === null ? answer : { ...answer, cookies: [cookie] }
}
