import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { build } from 'esbuild'
import type { Checked, DomainNode } from '../../kernel/domain/ast.ts'
import { not } from '../../kernel/domain/ast.ts'
import { compileDomain } from '../../kernel/domain/compile.ts'
import { displayNameOf } from '../../kernel/domain/display-name.ts'
import { evaluateDomain, type RecordSource, type RecordValues } from '../../kernel/domain/evaluate.ts'
import { parseDomain } from '../../kernel/domain/parse.ts'
import type { ParseContext } from '../../kernel/domain/parsing.ts'
import { createZone } from '../../kernel/domain/zone.ts'
import type { Field } from '../../kernel/model/fields/field.ts'
import type { Model, Registry } from '../../kernel/model/registry.ts'
import { syncSchema } from '../../kernel/schema/sync.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'

/** Records by model: stored values, ids for a many2one, id lists for a many2many. */
export type Rows = Readonly<Record<string, readonly RecordValues[]>>

/** The same records in every engine, and the settings of the user who asks. */
export interface World {
  readonly registry: Registry
  readonly rows: Rows
  readonly context: ParseContext
  readonly rule: (model: string) => DomainNode | null
}

export interface Question {
  readonly model: string
  readonly domain: readonly unknown[]
}

const modelOf = (world: World, name: string): Model => world.registry.model(name)!

/** Makes the tables and fills them; relations come last, so that every target is there. */
export async function storeRows(tx: Db, { registry, rows }: Pick<World, 'registry' | 'rows'>): Promise<void> {
  await syncSchema(tx, registry)
  const models = [...registry.models.values()].filter(({ name }) => (rows[name]?.length ?? 0) > 0)
  for (const model of models) await insertRows(tx, model, rows[model.name]!)
  for (const model of models) {
    for (const field of model.fields.values()) await linkRows(tx, model, field, rows[model.name]!)
  }
}

async function insertRows(tx: Db, model: Model, rows: readonly RecordValues[]): Promise<void> {
  const fields = [...model.fields.values()].filter(
    ({ name, column, relation, system }) => column !== null && relation === null && (!system || name === 'id'),
  )
  const columns = sql.join(fields.map(({ name }) => sql.ref(name)))
  const tuples = rows.map((row) => sql`(${sql.join(fields.map((field) => storable(field, row[field.name])))})`)
  await sql`insert into ${sql.table(model.table)} (${columns}) overriding system value values ${sql.join(tuples)}`.execute(
    tx,
  )
}

const storable = (field: Field, value: unknown) =>
  value === undefined || value === null
    ? field.type.comparison === 'boolean'
      ? sql`false`
      : sql`null`
    : field.type.name === 'json'
      ? sql`${JSON.stringify(value)}::jsonb`
      : sql`${value}`

async function linkRows(tx: Db, model: Model, field: Field, rows: readonly RecordValues[]): Promise<void> {
  const { relation } = field
  if (relation === null || relation.kind === 'one2many' || field.related !== null || field.system) return
  const links = rows.flatMap((row) => [row[field.name] ?? []].flat().map((id) => [row['id'], id]))
  if (links.length === 0) return
  const [own, other] = [links.map(([id]) => id), links.map(([, id]) => id)]
  const pairs = sql`unnest(${own}::int[], ${other}::int[]) as link(own, other)`
  await (relation.kind === 'many2one'
    ? sql`update ${sql.table(model.table)} as t set ${sql.ref(field.column!)} = other from ${pairs} where t.id = own`
    : sql`insert into ${sql.table(relation.table)} (${sql.ref(relation.left)}, ${sql.ref(relation.right)}) select * from ${pairs}`
  ).execute(tx)
}

const checked = (node: DomainNode) => node as Checked<DomainNode>

export interface Answer {
  readonly ids: readonly number[]
  /** What the complement of the domain matches. */
  readonly others: readonly number[]
}

/** All questions in one statement. */
export async function askSql(tx: Db, world: World, questions: readonly Question[]): Promise<Answer[]> {
  const { registry, rule, context } = world
  const idsOf = (model: Model, node: DomainNode): Sql<unknown> => {
    const where = compileDomain(checked(node), { registry, alias: 't', tz: context.tz, rule })
    return sql`array(select t.id from ${sql.table(model.table)} as t where ${where} order by 1)`
  }
  const answers = questions.map(({ model: name, domain }) => {
    const model = modelOf(world, name)
    const node = parseDomain(domain, model, context)
    return sql`select ${idsOf(model, node)} as ids, ${idsOf(model, not(node))} as others`
  })
  const numbered = answers.map(
    (answer, index) => sql`select ${index}::int as number, answer.* from (${answer}) as answer`,
  )
  const { rows } = await sql<Answer>`${sql.join(numbered, sql` union all `)} order by number`.execute(tx)
  return rows.map(({ ids, others }) => ({ ids, others }))
}

type Evaluator = (world: World, question: Question) => number[]

const sourceOf = (world: World, zone: RecordSource['zone']): RecordSource => {
  const complete = new Map<string, readonly RecordValues[]>()
  const records = (name: string) => {
    if (!complete.has(name))
      complete.set(
        name,
        (world.rows[name] ?? []).map((row) => withName(world, name, row)),
      )
    return complete.get(name)!
  }
  return { zone, records, rule: world.rule, linked: (field, record) => linkedRows(records, field, record) }
}

const withName = (world: World, name: string, row: RecordValues) => ({
  ...row,
  display_name: displayNameOf(modelOf(world, name), row),
})

function linkedRows(records: (model: string) => readonly RecordValues[], field: Field, record: RecordValues) {
  const relation = field.relation!
  const targets = records(relation.target)
  if (relation.kind === 'one2many') return targets.filter((row) => row[relation.inverse] === record['id'])
  const ids: readonly unknown[] = [record[field.name] ?? []].flat()
  return targets.filter((row) => ids.includes(row['id']))
}

const evaluator =
  (parse: typeof parseDomain, evaluate: typeof evaluateDomain, zoneOf: typeof createZone): Evaluator =>
  (world, { model, domain }) => {
    const node = parse(domain, modelOf(world, model), world.context)
    const source = sourceOf(world, zoneOf(world.context.tz))
    const matching = [...source.records(model)].filter((row) => evaluate(node, row, source))
    return matching.map((row) => row['id'] as number).sort((a, b) => a - b)
  }

export const askMemory: Evaluator = evaluator(parseDomain, evaluateDomain, createZone)

/** The same engine as a browser gets it: bundled, without Node, in a realm that makes no code from text. */
export async function openBrowser(): Promise<Evaluator> {
  const entry = ['parse', 'evaluate', 'zone'].map((name) => `export * from './kernel/domain/${name}.ts'`).join('\n')
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL('../..', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'domains',
  })
  const realm = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } })
  vm.runInContext(outputFiles[0]!.text, realm)
  const { parseDomain: parse, evaluateDomain: evaluate, createZone: zoneOf } = realm['domains']
  return evaluator(parse, evaluate, zoneOf)
}
