import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { PARTNERS } from './scenario.ts'
import { CLI } from './service.ts'

/** Several, since the number of calls one user may have under way is limited. They have the rights and rules of all users. */
export const USERS = ['clerk1', 'clerk2', 'clerk3', 'clerk4']

/** Initialises the database through the CLI, as an operator would, and returns an API key of each user. */
export function prepare(env: NodeJS.ProcessEnv): readonly string[] {
  const svc = (...args: string[]) => execFileSync(process.execPath, [CLI, ...args], { env, encoding: 'utf8' })
  svc('init', '--company', 'Bench', '--login', 'admin', '--password', 'bench bench bench', '--currency', 'EUR')
  return USERS.map((login) => {
    svc('user', 'create', '--login', login, '--groups', 'base.group_user', '--password', 'bench bench bench')
    return JSON.parse(svc('key', 'create', '--login', login, '--name', 'bench', '--json')).key
  })
}

/** Fills it with partners. */
export async function fill(dsn: string): Promise<void> {
  const client = new pg.Client(dsn)
  await client.connect()
  await addPartners(client, 0, PARTNERS)
  await skipTo(client, PARTNERS)
  await client.query('vacuum analyze')
  await client.end()
}

/** Adds the partners with these numbers, excluding `to`. */
export async function addPartners(client: pg.Client, from: number, to: number): Promise<void> {
  await client.query(`insert into core_partner (id, name, ref, email, phone, city, zip, street, website, country_id, user_id, latitude, longitude, active, is_company, create_date, write_date, version)
    overriding system value
    select 1000 + i, 'Partner ' || i, 'REF' || i, 'p' || i || '@example.com', '+49 30 ' || i, 'City ' || i % 500, lpad((i % 100000)::text, 5, '0'), 'Street ' || i, 'https://example.com/' || i,
      (select min(id) from core_country) + i % 200, (select min(id) from core_user), i % 90, i % 180, true, i % 3 = 0, now(), now(), 1
    from generate_series(${from}, ${to - 1}) i`)
}

/** New partners get ids beyond those of so many. */
export async function skipTo(client: pg.Client, rows: number): Promise<void> {
  await client.query(`select setval(pg_get_serial_sequence('core_partner', 'id'), ${rows + 2_000})`)
}

/** Opens a session of a user, as the sign-in page would, and returns its token. */
export async function signIn(dsn: string, login: string): Promise<string> {
  const token = randomBytes(32)
  const client = new pg.Client(dsn)
  await client.connect()
  await client.query(
    `insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at)
     select $1, u.id, coalesce(c.auth_epoch, 0), $2, now() + interval '1 day'
     from core_user u left join sys_credential c on c.user_id = u.id where u.login = $3`,
    [createHash('sha256').update(token).digest(), randomBytes(32), login],
  )
  await client.end()
  return token.toString('base64url')
}
