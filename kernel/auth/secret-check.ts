import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { toBase64Url } from '../bytes.ts'
import { readParam, writeParam } from '../param.ts'
import type { Db } from '../sql/database.ts'

const PARAM = 'secret_check'
/** Prefix that separates this value from other uses of the installation's secret. */
const PURPOSE = 'secret check 1'

/**
 * Whether the secret of this process is the one that the API keys in the database were made with. The database keeps a check value,
 * from which the secret cannot be found; the first process that asks creates it. If there are no keys, a new secret is accepted: of
 * stored data only the mail password depends on it too, and that is reported separately (`mail/mail-server.ts`).
 */
export async function isSecretOf(db: Db, secretKey: Uint8Array): Promise<boolean> {
  const own = toBase64Url(hmac(sha256, secretKey, utf8ToBytes(PURPOSE)))
  const known = await readParam<string | null>(db, PARAM, null)
  if (known === own) return true
  if (known !== null && (await hasKeys(db))) return false
  await writeParam(db, PARAM, own)
  return true
}

const hasKeys = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('sys_api_key_secret').select('key_id').limit(1).executeTakeFirst()) !== undefined

/** What a wrong secret means and what to do; for the log and the command line. */
export const OTHER_SECRET =
  'The secret (secret_key, or the file secret_key in data_dir) is not the one of this database: its API keys, open forms and page links do not work. ' +
  'Set the secret it had, or revoke every API key with svc key revoke and create new ones.'
