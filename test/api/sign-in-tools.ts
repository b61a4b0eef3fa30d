import { expect } from 'vitest'
import type { PasswordPort } from '../../kernel/services.ts'
import { nativePasswords } from '../../runtime/node/crypto/passwords.ts'
import type { Agent } from '../support/agent.ts'
import type { Host } from '../support/hosts.ts'

export const PASSWORD = 'correct horse battery'
export const JSON_ONLY = { accept: 'application/json' }
/** Counts password hashes, which take half a second of a core each. */
export function countingPasswords(): PasswordPort & { verified: number } {
  const port = nativePasswords({ ln: 2, r: 1, p: 1 })
  const counting = {
    ...port,
    verified: 0,
    verify(password: string, phc: string) {
      counting.verified++
      return port.verify(password, phc)
    },
  }
  return counting
}

export async function givePassword(host: Host, login: string, password = PASSWORD): Promise<number> {
  return host.modules.asSystem(async (env) => {
    const [id = 0] = await env.model('core.user').search([['login', '=', login]], { archived: 'include' })
    await env.model('core.user').write([id], { password })
    return id
  })
}

export async function logIn(host: Host, login: string, password = PASSWORD): Promise<Agent> {
  const browser = host.anonymous()
  const answer = await browser.fill('/web/login', { login, password })
  expect(answer.status).toBe(303)
  return browser
}

export const isSignedIn = async (agent: Agent): Promise<boolean> =>
  (await agent.get('/web/account', JSON_ONLY)).status === 200

export const count = async (host: Host, table: 'sys_session' | 'sys_flash' | 'sys_reset'): Promise<number> =>
  (await host.database.db.selectFrom(table).selectAll().execute()).length

export const cookieOf = (answer: Response, name: string): string | undefined =>
  answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
