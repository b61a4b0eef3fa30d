/** One kind of call: what a client sends, and the same work in hand-written SQL for the floor. */
export interface Scenario {
  readonly name: string
  /** Body of the n-th call; spread over the data so that no single row is hot. */
  readonly body: (n: number) => Rpc
  readonly floor: FloorWork
  /** Calls at once, each number measured by itself. */
  readonly concurrency: readonly number[]
  /** Records one call creates; makes the table show records per second. */
  readonly records?: number
}

/** A call of a method; with the method `GET`, `model` is the path of a page's JSON and the first argument its query. */
export interface Rpc {
  readonly model: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly kwargs?: Readonly<Record<string, unknown>>
}

export interface FloorWork {
  /** Statements in order, with the values each takes from the call. */
  readonly statements: readonly {
    readonly text: string
    readonly values: (rpc: Rpc, user: number) => readonly unknown[]
  }[]
  /** The same work with the JSON of the result built by PostgreSQL: one row, one column. */
  readonly json?: FloorWork['statements'][number]
  /** Wrapped in BEGIN and COMMIT. */
  readonly transaction?: boolean
  /** Rows of each statement → result of the call. */
  readonly result: (rows: readonly (readonly Record<string, unknown>[])[]) => unknown
}

export const PARTNERS = 100_000
const ONE_TO_MANY = [1, 8, 32]
const FIRST_PARTNER = 1_000

/** A number that looks random but is the same in every run. */
const spread = (n: number, size: number) => FIRST_PARTNER + ((n * 7_919) % size)

const LIST_FIELDS = ['name', 'ref', 'email', 'phone', 'city', 'country_id', 'user_id', 'active'] as const
const FORM_FIELDS = [
  ...LIST_FIELDS,
  'website',
  'street',
  'zip',
  'is_company',
  'latitude',
  'longitude',
  'write_date',
] as const

const nameOf = (table: string, column: string) =>
  `(select r.name from ${table} r where r.id = t.${column}) as "${column}:name"`
const COLUMNS = {
  list: `t.id, ${LIST_FIELDS.map((name) => `t.${name}`).join(', ')}, ${nameOf('core_country', 'country_id')}, ${nameOf('core_user', 'user_id')}`,
  form: `t.id, ${FORM_FIELDS.map((name) => `t.${name}`).join(', ')}, ${nameOf('core_country', 'country_id')}, ${nameOf('core_user', 'user_id')}`,
}
const pairOf = (table: string, column: string) =>
  `case when t.${column} is null then null else json_build_array(t.${column}, (select r.name from ${table} r where r.id = t.${column})) end as ${column}`

/** The records that `from` selects as one JSON text. */
function asJson(fields: readonly string[], from: string): string {
  const columns = fields.map((name) =>
    name === 'country_id' ? pairOf('core_country', name) : name === 'user_id' ? pairOf('core_user', name) : `t.${name}`,
  )
  return `select coalesce(json_agg(row_to_json(r)), '[]')::text as json from (select t.id, ${columns.join(', ')} ${from}) r`
}

/** The company rule every user is under. */
const RULE = '(t.company_id is null or t.company_id = any($1::int[]))'

const COMPANIES = [1]
const PAGE_BY_ID = `from core_partner t where t.id > $2 and t.active and ${RULE} order by t.id limit 80`
const ONE_BY_ID = `from core_partner t where t.id = any($2::int[])`
const pageValues = (rpc: Rpc) => [COMPANIES, (rpc.args[0] as [[string, string, number]])[0][2]]

const pair = (row: Record<string, unknown>, name: string) =>
  row[name] === null ? null : [row[name], row[`${name}:name`] ?? null]

const toRecords = (rows: readonly Record<string, unknown>[], fields: readonly string[]) =>
  rows.map((row) => {
    const record: Record<string, unknown> = { id: row['id'] }
    for (const field of fields) record[field] = field.endsWith('_id') ? pair(row, field) : row[field]
    return record
  })

/** The fields of the list view of partners. */
const WORKSPACE_FIELDS = [
  ...[
    'name',
    'function',
    'parent_id',
    'email',
    'phone',
    'city',
    'country_id',
    'tag_ids',
    'user_id',
    'ref',
    'vat',
    'company_id',
  ],
  'version',
]
/** A page as an expert writes it: the ids of the page first, then names joined to those 80 rows only. */
const PAGE = `select t.id, ${WORKSPACE_FIELDS.filter((name) => name !== 'tag_ids')
  .map((name) => `t.${name}`)
  .join(', ')},
    parent.name as "parent_id:name", country.name as "country_id:name", u.name as "user_id:name", company.name as "company_id:name",
    array(select l.target_id from core_partner_tag_ids_rel l where l.source_id = t.id order by 1) as tag_ids
  from (select t.id, t.name from core_partner t where t.active and ${RULE}
    order by t.name collate "und-x-icu", t.id limit 80 offset $2) page
  join core_partner t on t.id = page.id
  left join core_partner parent on parent.id = t.parent_id
  left join core_country country on country.id = t.country_id
  left join core_user u on u.id = t.user_id
  left join core_company company on company.id = t.company_id
  order by page.name collate "und-x-icu", page.id`

const OUTBOX = `insert into sys_outbox (channel, payload)
  select m.channel, m.payload from json_to_recordset($1::json) as m(channel text, payload jsonb)`

const INSERT = `insert into core_partner (name, email, city, active, is_company, create_uid, create_date, write_uid, write_date, version)
  select r.name, r.email, r.city, true, false, $2, now(), $2, now(), 1
  from json_to_recordset($1::json) as r(name text, email text, city text) returning id`

const values = (n: number) => ({ name: `New partner ${n}`, email: `new${n}@example.com`, city: `City ${n % 50}` })

const WORKSPACE_FLOOR: FloorWork = {
  statements: [
    {
      text: PAGE,
      values: (rpc) => [COMPANIES, (rpc.args[0] as { offset: number }).offset],
    },
    {
      text: `select count(*) as total from (select from core_partner t where t.active and ${RULE} limit 10001) n`,
      values: () => [COMPANIES],
    },
  ],
  result: ([rows, count]) => ({ records: toRecords(rows!, WORKSPACE_FIELDS), listTotal: count![0]!['total'] }),
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'search_read 80 × 8',
    concurrency: ONE_TO_MANY,
    body: (n) => ({
      model: 'core.partner',
      method: 'search_read',
      args: [[['id', '>', spread(n, PARTNERS - 100)]], LIST_FIELDS],
      kwargs: { limit: 80, order: 'id' },
    }),
    floor: {
      statements: [
        {
          text: `select ${COLUMNS.list} ${PAGE_BY_ID}`,
          values: pageValues,
        },
      ],
      json: { text: asJson(LIST_FIELDS, PAGE_BY_ID), values: pageValues },
      result: ([rows]) => toRecords(rows!, LIST_FIELDS),
    },
  },
  {
    name: 'list workspace 80',
    concurrency: ONE_TO_MANY,
    body: (n) => ({
      model: '/web/wc/workspace',
      method: 'GET',
      args: [{ model: 'core.partner', view_type: 'list', offset: (n % 50) * 80 }],
    }),
    floor: WORKSPACE_FLOOR,
  },
  ...[2_000, 50_000].map(
    (offset): Scenario => ({
      name: `list at offset ${offset.toLocaleString('en')}`,
      concurrency: [1],
      body: () => ({
        model: '/web/wc/workspace',
        method: 'GET',
        args: [{ model: 'core.partner', view_type: 'list', offset }],
      }),
      floor: WORKSPACE_FLOOR,
    }),
  ),
  {
    name: 'read 1 × 15',
    concurrency: ONE_TO_MANY,
    body: (n) => ({ model: 'core.partner', method: 'read', args: [[spread(n, PARTNERS)], FORM_FIELDS] }),
    floor: {
      statements: [
        {
          text: `select ${COLUMNS.form}, ${RULE} as ok ${ONE_BY_ID}`,
          values: (rpc) => [COMPANIES, rpc.args[0]],
        },
      ],
      json: {
        text: asJson(FORM_FIELDS, `${ONE_BY_ID} and ${RULE}`),
        values: (rpc) => [COMPANIES, rpc.args[0]],
      },
      result: ([rows]) => toRecords(rows!, FORM_FIELDS),
    },
  },
  {
    name: 'ilike search',
    concurrency: ONE_TO_MANY,
    body: (n) => ({
      model: 'core.partner',
      method: 'search_read',
      args: [[['name', 'ilike', `partner ${1_000 + (n % 8_000)}`]], ['name', 'city']],
      kwargs: { limit: 80, order: 'id' },
    }),
    floor: {
      statements: [
        {
          text: `select t.id, t.name, t.city from core_partner t where svc_fold(t.name) like $2 and t.active and ${RULE} order by t.id limit 80`,
          values: (rpc) => [COMPANIES, `%${(rpc.args[0] as [[string, string, string]])[0][2]}%`],
        },
      ],
      result: ([rows]) => toRecords(rows!, ['name', 'city']),
    },
  },
  {
    name: 'read_group 100,000',
    concurrency: [2],
    body: () => ({
      model: 'core.partner',
      method: 'read_group',
      args: [
        { domain: [], groupby: ['country_id'], fields: [{ name: 'latitude', field: 'latitude', measure: 'avg' }] },
      ],
    }),
    floor: {
      statements: [
        {
          text: `select g.*, c.name from (select t.country_id, avg(t.latitude) as latitude, count(*) as __count from core_partner t
            where t.active and ${RULE} group by t.country_id) g left join core_country c on c.id = g.country_id order by c.name`,
          values: () => [COMPANIES],
        },
      ],
      result: ([rows]) => rows!.map((row) => ({ ...row, country_id: [row['country_id'], row['name']], __domain: [] })),
    },
  },
  {
    name: 'create',
    concurrency: ONE_TO_MANY,
    body: (n) => ({ model: 'core.partner', method: 'create', args: [values(n)] }),
    floor: {
      transaction: true,
      statements: [
        { text: INSERT, values: (rpc, user) => [JSON.stringify(rpc.args), user] },
        {
          text: OUTBOX,
          values: () => [JSON.stringify([{ channel: 'record.created', payload: { model: 'core.partner', id: 1 } }])],
        },
      ],
      result: ([rows]) => rows![0]!['id'],
    },
  },
  {
    name: 'write',
    concurrency: ONE_TO_MANY,
    body: (n) => ({ model: 'core.partner', method: 'write', args: [[spread(n, PARTNERS)], { city: `Moved ${n}` }] }),
    floor: {
      transaction: true,
      statements: [
        {
          text: `with old as materialized (select t.* from core_partner t where t.id = any($2::int[]) and ${RULE} for no key update of t),
            revision as (insert into sys_revision (model, res_id, version, changed)
              select 'core.partner', old.id, old.version, jsonb_build_object('city', old.city) from old)
            update core_partner t set city = $3, version = t.version + 1, write_uid = $4, write_date = now()
            from old where t.id = old.id returning t.id`,
          values: (rpc, user) => [COMPANIES, rpc.args[0], (rpc.args[1] as { city: string }).city, user],
        },
        {
          text: OUTBOX,
          values: () => [JSON.stringify([{ channel: 'record.updated', payload: { model: 'core.partner', id: 1 } }])],
        },
      ],
      result: () => true,
    },
  },
  {
    name: 'create_many 1,000',
    concurrency: [2],
    records: 1_000,
    body: (n) => ({
      model: 'core.partner',
      method: 'create_many',
      args: [Array.from({ length: 1_000 }, (_, i) => values(n * 1_000 + i))],
    }),
    floor: {
      transaction: true,
      statements: [
        { text: INSERT, values: (rpc, user) => [JSON.stringify(rpc.args[0]), user] },
        {
          text: OUTBOX,
          values: () => [JSON.stringify([{ channel: 'model.changed', payload: { model: 'core.partner' } }])],
        },
      ],
      result: ([rows]) => rows!.map((row) => row['id']),
    },
  },
]
