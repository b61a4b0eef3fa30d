import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { exportFloor, importFloor } from './exchange-floor.ts'
import { postgresTime, processorTime } from './processor-time.ts'
import { freePort, lookAt, startService, stop } from './service.ts'

/** An imported or exported file. */
export interface ExchangeFigure {
  readonly name: string
  readonly rows: number
  readonly seconds: number
  /** Largest growth of the service's memory, in MB. */
  readonly memory: number
  /** Longest stall of its event loop in ms. */
  readonly stall: number
  /** Processor time of the service and of PostgreSQL in seconds; with two free cores the file takes about as long as the larger of them. */
  readonly cpu: number
  readonly sqlCpu: number
  /** Rows a second of the same by hand; null where nobody would write it by hand. */
  readonly floor: number | null
}

interface Place {
  readonly postgresPid: number
  readonly env: NodeJS.ProcessEnv
  readonly dsn: string
  /** Token of a session. */
  readonly session: string
}

const EXPORTED = 1_000_000
const IMPORTED = 50_000
const PDF_ROWS = 2_000
const FIELDS = 'name,ref,email,phone,city,country_id,is_company,create_date'

/** Measures import and export through a service of its own, so that its memory holds nothing of other calls. */
export async function benchExchange({ env, dsn, session, postgresPid }: Place): Promise<readonly ExchangeFigure[]> {
  const port = await freePort()
  const service = await startService({ ...env, SVC_HTTP_PORT: String(port) }, true)
  try {
    const browser = await openBrowser(`http://127.0.0.1:${port}`, session)
    const figures: ExchangeFigure[] = []
    const note = (figure: ExchangeFigure) => {
      figures.push(figure)
      console.log(lineOf(figure))
    }
    // A first call loads and compiles code, which is not part of the measurement.
    await importFile(browser, 200)
    await download(browser, `/web/export/csv?model=core.partner&fields=${FIELDS}&limit=2000`)
    await download(browser, `/web/export/pdf?model=core.partner&fields=${FIELDS}&limit=20`)
    const measure = async (name: string, work: Work, floor: () => Promise<number | null> = async () => null) => {
      const figure = await measured(service, postgresPid, name, work)
      note({ ...figure, floor: await floor() })
    }
    await measure('dry run', () => importFile(browser, IMPORTED, true))
    await measure('import', () => importFile(browser, IMPORTED), floorOf(browser, dsn))
    await addPartners(dsn)
    for (const [format, rows] of [
      ['csv', EXPORTED],
      ['xlsx', EXPORTED / 10],
      ['pdf', PDF_ROWS],
    ] as const) {
      const address = `/web/export/${format}?model=core.partner&fields=${FIELDS}&order=id&limit=${rows}`
      const floor = async () => (format === 'csv' ? exportFloor(dsn, rows) : null)
      await measure(`export ${format}`, async () => ({ rows, ms: await download(browser, address) }), floor)
    }
    return figures
  } finally {
    await stop(service)
  }
}

type Work = () => Promise<{ readonly rows: number; readonly ms: number }>

async function measured(service: ChildProcess, postgresPid: number, name: string, work: Work) {
  await lookAt(service)
  const before = await lookAt(service)
  const [cpu, sqlCpu] = [processorTime(service.pid!), postgresTime(postgresPid)]
  const { rows, ms } = await work()
  const after = await lookAt(service)
  return {
    name,
    rows,
    seconds: ms / 1_000,
    memory: (after.memory - before.memory) / 2 ** 20,
    stall: after.stall,
    cpu: (processorTime(service.pid!) - cpu) / 1_000,
    sqlCpu: (postgresTime(postgresPid) - sqlCpu) / 1_000,
  }
}

type Browser = (path: string, body?: BodyInit, headers?: Readonly<Record<string, string>>) => Promise<Response>

async function openBrowser(origin: string, session: string): Promise<Browser> {
  const cookie = `svc_session=${session}`
  const page = await fetch(`${origin}/web/wc/workspace?model=core.partner&view_type=list`, { headers: { cookie } })
  const { csrfToken } = (await page.json()) as { csrfToken: string }
  return async (path, body, headers = {}) => {
    const common = { cookie, accept: 'application/json', 'x-csrf-token': csrfToken, ...headers }
    const response = await fetch(origin + path, {
      headers: common,
      ...(body !== undefined && { method: 'POST', body }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`)
    return response
  }
}

/** Milliseconds until the last byte. */
async function download(browser: Browser, path: string): Promise<number> {
  const start = performance.now()
  for await (const _chunk of (await browser(path)).body!);
  return performance.now() - start
}

/** Eight columns, of which two name records: a country and, of 500 partners, the company of the contact. */
const COLUMNS = ['name', 'ref', 'email', 'phone', 'city', 'street', 'country_id', 'parent_id']

const rowOf = (n: number, [country, parent]: readonly [string, string]) =>
  `Imported ${n},IMP${n},imp${n}@example.com,+49 30 ${n},City ${n % 500},Street ${n},"${country}","${parent}"`

/** The text of a file to import. */
async function fileOf(browser: Browser, rows: number): Promise<string> {
  const countries = await call<{ name: string }[]>(browser, 'core.country', 'search_read', [[], ['name']], {
    limit: 100,
  })
  const lines = Array.from({ length: rows }, (_, n) =>
    rowOf(n, [countries[n % countries.length]!.name, `Partner ${n % 500}`]),
  )
  return `${COLUMNS.join(',')}\n${lines.join('\n')}\n`
}

const floorOf = (browser: Browser, dsn: string) => async () => importFloor(dsn, await fileOf(browser, IMPORTED))

async function call<T>(
  browser: Browser,
  model: string,
  method: string,
  args: readonly unknown[],
  kwargs = {},
): Promise<T> {
  const text = JSON.stringify({ model, method, args, kwargs })
  const answer = await browser('/api/rpc', text, { 'content-type': 'application/json' })
  const { result } = (await answer.json()) as { result: T }
  return result
}

/** Uploads a file, then tries or confirms it: the time of that, since an upload is read once and confirmed once. */
async function importFile(browser: Browser, rows: number, isDryRun = false) {
  const form = new FormData()
  form.set('model', 'core.partner')
  form.set('file', new File([await fileOf(browser, rows)], 'partners.csv'))
  const start = performance.now()
  const { id } = (await (await browser('/web/bulk/upload', form)).json()) as { id: number }
  const action = isDryRun ? 'action_dry_run' : 'action_confirm_import'
  const mapping = JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, name])))
  await call(browser, 'sys.bulk.import', 'call', [id, action, { column_mapping: mapping }])
  return { rows, ms: performance.now() - start }
}

async function addPartners(dsn: string): Promise<void> {
  const client = new pg.Client(dsn)
  await client.connect()
  await client.query(
    `insert into core_partner (name, ref, email, phone, city, country_id, active, is_company, create_date, write_date, version)
     select 'Export ' || i, 'EXP' || i, 'e' || i || '@example.com', '+49 30 ' || i, 'City ' || i % 500,
       (select min(id) from core_country) + i % 200, true, i % 3 = 0, now(), now(), 1
     from generate_series(1, ${EXPORTED}) i`,
  )
  await client.query('vacuum analyze core_partner')
  await client.end()
}

const lineOf = ({ name, rows, seconds, memory, stall, cpu, sqlCpu, floor }: ExchangeFigure): string =>
  `${name.padEnd(14)}${String(rows).padStart(9)} rows` +
  [
    [seconds.toFixed(2), 's'],
    [(rows / seconds).toFixed(0), 'rows/s'],
    [memory.toFixed(0), 'MB'],
    [stall.toFixed(0), 'ms stall'],
    [cpu.toFixed(2), 's cpu'],
    [sqlCpu.toFixed(2), 's sql'],
    ...(floor === null ? [] : [[(rows / seconds / floor).toFixed(2), 'of the floor']]),
  ]
    .map(([figure, unit]) => `${figure!.padStart(9)} ${unit}`)
    .join('')
