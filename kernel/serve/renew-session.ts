import type { Caller } from '../auth/principal.ts'
import { rotateSession } from '../auth/session.ts'
import type { Answer } from '../http/respond.ts'
import type { Exchange } from './route.ts'

/** Hands out a new token with the answer to a plain read once the old one has served its hours. */
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
