import { createApiKey } from '../../../kernel/auth/api-key.ts'
import { ownUrl } from '../../own-url.ts'
import { type CliCommand, UsageError } from '../command.ts'
import { findUser } from '../find-user.ts'
import { requireOwnSecret, runAsSystem, withReadyHost } from '../with-host.ts'

const DEFAULT_DAYS = 90
const MAX_DAYS = 366
const DAY_MS = 86_400_000

export const keyCreateCommand: CliCommand = {
  name: 'key create',
  summary: 'Create an API key for a user; it is shown once',
  options: {
    login: { type: 'text', value: 'login', required: true, help: 'login of the owner' },
    name: { type: 'text', value: 'name', required: true, help: 'what the key is for' },
    'expires-days': {
      type: 'text',
      value: 'days',
      help: `days it is valid, up to ${MAX_DAYS}; default ${DEFAULT_DAYS}`,
    },
    scope: {
      type: 'text',
      value: 'json',
      help: 'limits, like {"read_only":true}; changing users needs {"credentials":true}',
    },
  },
  async run(call) {
    const days = readDays(call.text('expires-days'))
    const scope = readScope(call.text('scope'))
    const { id, key, login, expiresAt } = await withReadyHost(call, async (host) => {
      await requireOwnSecret(host)
      return runAsSystem(host, async (env) => {
        const expiresAt = new Date(env.now.getTime() + days * DAY_MS).toISOString()
        const { id: userId, login } = await findUser(env, call.text('login')!)
        const created = await createApiKey(env, { userId, name: call.text('name')!, expiresAt, scope })
        return { ...created, login, expiresAt }
      })
    })
    const example = `curl ${call.config.public_url ?? ownUrl(call.config)}/api/rpc -H "X-API-Key: ${key}" -H "Content-Type: application/json" \\
  -d '{"model":"core.partner","method":"search_read","args":[[],["name"]]}'`
    const expiry = `It expires on ${expiresAt.slice(0, 10)}, in ${days} ${days === 1 ? 'day' : 'days'}.`
    return {
      json: { id, key, login, expires_at: expiresAt },
      text: `Key ${id}, shown only now:\n  ${key}\n\n${expiry}\n\nTry it:\n${example}`,
    }
  },
}

function readDays(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS)
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new UsageError(`--expires-days must be a whole number from 1 to ${MAX_DAYS}.`)
  }
  return days
}

function readScope(text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined) return null
  try {
    const scope: unknown = JSON.parse(text)
    if (typeof scope === 'object' && scope !== null && !Array.isArray(scope)) return { ...scope }
  } catch {}
  throw new UsageError('--scope must be a JSON object.')
}
