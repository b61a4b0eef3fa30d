import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type Rpc, SCENARIOS } from './scenario.ts'

/** The floor in a process of its own. */
export async function spawnFloor(dsn: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [import.meta.filename, '--floor', dsn], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
  return { child, port }
}

/** The least a server in Node can do for the same calls: one listener, one pool, the statements written by hand. */
export function startFloor(dsn: string): void {
  pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text)
  const pool = new pg.Pool({ connectionString: dsn, max: 20 })
  const byShape = new Map(SCENARIOS.map((scenario) => [shapeOf(scenario.body(0)), scenario.floor]))

  const authenticate = async (key: string): Promise<number> => {
    const { rows } = await pool.query({
      name: 'auth',
      text: `select u.id, u.name, array(select target_id from core_user_group_ids_rel where source_id = u.id) as groups, e.modules, e.access
        from core_user u cross join sys_epoch e where u.id = (select min(id) from core_user where active) and $1 <> ''`,
      values: [createHash('sha256').update(key).digest('hex')],
    })
    return rows[0].id
  }

  const answer = async (rpc: Rpc, secret: string, isJson: boolean): Promise<string> => {
    const user = await authenticate(secret)
    const { statements, json, transaction, result } = byShape.get(shapeOf(rpc))!
    if (isJson && json) {
      const { rows } = await pool.query({
        name: nameOf(json.text),
        text: json.text,
        values: [...json.values(rpc, user)],
      })
      return `{"ok":true,"result":${rows[0].json},"error":null}`
    }
    const client = transaction ? await pool.connect() : pool
    if (transaction) await client.query('begin')
    const rows: Record<string, unknown>[][] = []
    for (const { text, values } of statements) {
      rows.push((await client.query({ name: nameOf(text), text, values: [...values(rpc, user)] })).rows)
    }
    if (transaction) {
      await client.query('commit')
      ;(client as pg.PoolClient).release()
    }
    return JSON.stringify({ ok: true, result: result(rows), error: null })
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      const rpc = request.method === 'GET' ? pageCall(url) : (JSON.parse(Buffer.concat(chunks).toString()) as Rpc)
      answer(rpc, String(headers['x-api-key'] ?? headers.cookie), url.endsWith(JSON_FORM)).then(
        (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
        (error) => response.writeHead(500).end(String(error)),
      )
    })
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
}

/** The end of an address at which PostgreSQL builds the JSON. */
export const JSON_FORM = '?json'

function pageCall(url: string): Rpc {
  const { pathname, searchParams } = new URL(url, 'http://floor')
  return { model: pathname, method: 'GET', args: [Object.fromEntries(searchParams)] }
}

const shapeOf = (rpc: Rpc) => `${rpc.method} ${Array.isArray(rpc.args[1]) ? rpc.args[1].length : 0}`

const nameOf = (text: string) => createHash('sha1').update(text).digest('base64')
