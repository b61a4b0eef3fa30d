import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, RpcClient } from './rpc-client.ts'

/**
 * The state of one writer. Each write gives a partner and its contact the next number in one call: the two must always be equal, and
 * the versions count the writes. A write without an answer is looked up before the next one; it may still be committed later, since
 * PostgreSQL may finish a commit of a process that was just killed.
 */
interface Account {
  readonly ids: readonly number[]
  /** Of the last write that is known to be there. */
  number: number
  version: number
  /** Number of a write whose outcome is not known yet. */
  pending: number | null
  /** Writes that were not there when they were looked up; each may have been committed since. */
  late: number
}

interface Row {
  readonly ref: string
  readonly version: number
}

interface Opened {
  readonly child_ids: readonly number[]
  readonly version: number
}

export interface LoadOptions {
  readonly writers: number
  readonly readers: number
  /** Between two calls of each. */
  readonly pauseMs?: number
}

/** Reads and writes that go on until they are stopped, and the record of their results. */
export interface Load {
  /** Every reply, in the order they came. */
  readonly replies: readonly Reply[]
  /** Writes that were answered with success. */
  readonly acknowledged: number
  /** Contradictions; empty if every acknowledged write is stored and every other one is stored completely or not at all. */
  readonly contradictions: readonly string[]
  /** Another address, for a service that was started anew. */
  use(client: RpcClient): void
  /** Ends the load; looks up what is in doubt, which needs a service that answers. */
  stop(): Promise<void>
}

const PAUSE_MS = 10

export async function startLoad(
  first: RpcClient,
  { writers, readers, pauseMs = PAUSE_MS }: LoadOptions,
): Promise<Load> {
  const replies: Reply[] = []
  const contradictions: string[] = []
  let client = first
  let acknowledged = 0
  let isStopped = false

  /** Reads both records in one statement; null if the service did not answer. */
  const look = async (account: Account): Promise<Row | null> => {
    const { number, version } = account
    const domain = [['id', 'in', account.ids]]
    const reply = await client.rpc({ model: 'core.partner', method: 'search_read', args: [domain, ['ref', 'version']] })
    replies.push(reply)
    if (reply.status !== 200) return null
    const rows = reply.body!.result as readonly Row[]
    const [a, b] = rows
    if (!a || !b || rows.length > 2 || a.ref !== b.ref || a.version !== b.version) {
      contradictions.push(`Torn: ${JSON.stringify(rows)}.`)
      return null
    }
    const uncounted = a.version - version - (Number(a.ref) - number)
    if (a.version < version || uncounted < 0 || uncounted > account.late) {
      contradictions.push(`Number ${a.ref}, version ${a.version} after number ${number}, version ${version}.`)
    }
    return a
  }

  /** Finds out the result of the pending write. */
  const lookUp = async (account: Account): Promise<boolean> => {
    const row = await look(account)
    if (row === null) return false
    const { ref, version } = row
    const number = Number(ref)
    if (number !== account.number && number !== account.pending) {
      contradictions.push(`Number ${ref} is neither ${account.number} nor ${account.pending}.`)
    }
    if (number !== account.pending) account.late++
    Object.assign(account, { number, version, pending: null })
    return true
  }

  const write = async (account: Account): Promise<void> => {
    const number = account.number + 1
    const ref = String(number)
    account.pending = number
    const reply = await client.rpc({
      model: 'core.partner',
      method: 'write',
      args: [[account.ids[0]], { ref, child_ids: [[1, account.ids[1], { ref }]] }],
    })
    replies.push(reply)
    if (reply.status !== 200) return
    acknowledged++
    Object.assign(account, { number, version: account.version + 1, pending: null })
  }

  const accounts = await Promise.all(Array.from({ length: writers }, (_, i) => openAccount(client, `writer ${i}`)))
  const keepWriting = async (account: Account) => {
    while (!isStopped) {
      if (account.pending === null) await write(account)
      else await lookUp(account)
      await sleep(pauseMs)
    }
  }
  const keepReading = async (account: Account) => {
    while (!isStopped) {
      await look(account)
      await sleep(pauseMs)
    }
  }
  const loops = [
    ...accounts.map(keepWriting),
    ...Array.from({ length: readers }, (_, i) => keepReading(accounts[i % accounts.length]!)),
  ]
  return {
    replies,
    contradictions,
    get acknowledged() {
      return acknowledged
    },
    use(other) {
      client = other
    },
    async stop() {
      isStopped = true
      await Promise.all(loops)
      for (const account of accounts) {
        account.pending ??= account.number
        // A busy service may refuse a few times; one that never answers lets the test time out.
        while (!(await lookUp(account))) {
          if (contradictions.length > 0) return
          await sleep(PAUSE_MS)
        }
      }
    },
  }
}

/** Repeats a call that an unharmed service may refuse while it is busy. */
async function call<T>(client: RpcClient, method: string, args: readonly unknown[]): Promise<T> {
  const { status, body } = await client.rpc({ model: 'core.partner', method, args })
  if (status === 200) return body!.result as T
  if (status !== 503) throw new Error(`${method}: ${status} ${JSON.stringify(body)}`)
  await sleep(PAUSE_MS)
  return call(client, method, args)
}

async function openAccount(client: RpcClient, name: string): Promise<Account> {
  const values = { name, ref: '0', child_ids: [[0, 0, { name: `contact of ${name}`, ref: '0' }]] }
  const parent = await call<number>(client, 'create', [values])
  const [row] = await call<readonly Opened[]>(client, 'read', [[parent], ['child_ids', 'version']])
  return { ids: [parent, row!.child_ids[0]!], number: 0, version: row!.version, pending: null, late: 0 }
}
