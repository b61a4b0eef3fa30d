import { type Field, Refusal } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { DataProblem } from './problem.ts'
import type { SourceLine, SourceRecord, SourceValue } from './source.ts'
import { parseFieldText } from './text-value.ts'
import { fullXmlid, splitXmlid, type Xmlid } from './xmlid.ts'

/** Id of a record by its external id. */
export type IdOf = (xmlid: Xmlid) => number

interface PreparedValue {
  readonly refs: readonly Xmlid[]
  /** The wire value, once the records it refers to have ids. */
  readonly resolve: (idOf: IdOf) => unknown
}

/** A record whose model, fields and values have been checked, as far as that is possible without the database. */
export interface PreparedRecord {
  readonly source: SourceRecord
  readonly model: Model
  readonly refs: ReadonlySet<Xmlid>
  readonly values: (idOf: IdOf) => Record<string, unknown>
}

export interface PrepareContext {
  readonly registry: Registry
  /** The addon whose files are read. */
  readonly module: string
  /** The time that relative dates are counted from. */
  readonly now: Date
  /** Model of the record an external id names in the database, undefined when it names none. */
  readonly modelOfKnown: (xmlid: Xmlid) => string | undefined
}

export interface PreparedRecords {
  readonly prepared: readonly PreparedRecord[]
  readonly problems: readonly DataProblem[]
  /** Records with a problem. */
  readonly failed: ReadonlySet<Xmlid>
}

/** Checks records against the registry and each other; a reference must point to an earlier record or one that exists. */
export function prepareRecords(context: PrepareContext, records: readonly SourceRecord[]): PreparedRecords {
  const earlier = new Map<Xmlid, string>()
  const prepared: PreparedRecord[] = []
  const problems: DataProblem[] = []
  const failed = new Set<Xmlid>()
  for (const source of records) {
    const report = (reason: string, line = source.line) => {
      problems.push({ file: source.file, line, reason })
      failed.add(source.xmlid)
    }
    const model = context.registry.model(source.model)
    const known = context.modelOfKnown(source.xmlid)
    const { module } = splitXmlid(source.xmlid)
    if (earlier.has(source.xmlid)) report(`${source.xmlid} is defined twice.`)
    else if (module !== context.module && known === undefined) report(`${source.xmlid} does not belong to this module.`)
    else if (known !== undefined && known !== source.model) report(`${source.xmlid} is already a record of ${known}.`)
    earlier.set(source.xmlid, source.model)
    if (model === undefined) {
      report(`There is no model ${source.model}.`)
      continue
    }
    const modelOf = (xmlid: Xmlid) =>
      xmlid === source.xmlid ? undefined : (earlier.get(xmlid) ?? context.modelOfKnown(xmlid))
    prepared.push(prepareRecord(context, source, model, modelOf, report))
  }
  return { prepared, problems, failed }
}

/** Every external id the records mention, their own included. */
export function mentionedXmlids(module: string, records: readonly SourceRecord[]): Set<Xmlid> {
  const mentioned = new Set<Xmlid>()
  for (const { xmlid, fields } of records) {
    mentioned.add(xmlid)
    for (const { value } of fields.values()) for (const ref of refsOf(module, value)) mentioned.add(ref)
  }
  return mentioned
}

function refsOf(module: string, value: SourceValue): readonly Xmlid[] {
  if (value.kind === 'refs') return value.xmlids
  if (value.kind === 'json') return jsonRefs(module, value.value)
  if (value.kind === 'lines')
    return value.lines.flatMap(({ fields }) => fields.flatMap(([, cell]) => refsOf(module, cell)))
  // Text may look like an external id without being one; looking it up finds nothing and does no harm.
  return value.kind === 'loose' ? splitRefs(module, value.text, /[,|]/).filter((name) => name !== null) : []
}

const splitRefs = (module: string, text: string, mark: string | RegExp) =>
  text.split(mark).map((name) => fullXmlid(module, name))

/** Models whose records store the addon they came from, so that they can be hidden when it is switched off. */
export const STAMPED: ReadonlySet<string> = new Set(['sys.menu', 'sys.dashboard', 'sys.view', 'sys.action'])

type ModelOf = (xmlid: Xmlid) => string | undefined
type Report = (reason: string, line?: number) => void

function prepareRecord(
  context: PrepareContext,
  source: SourceRecord,
  model: Model,
  modelOf: ModelOf,
  report: Report,
): PreparedRecord {
  const values = new Map<string, PreparedValue>()
  if (STAMPED.has(source.model)) values.set('module', constant(context.module))
  for (const [name, { value, line }] of source.fields) {
    const reportHere: Report = (reason, at = line) => report(`${source.model} ${source.xmlid}, ${reason}`, at)
    const prepared =
      value.kind === 'lines'
        ? prepareLines(context, model, name, value.lines, modelOf, reportHere)
        : prepareField(context, model, name, value, modelOf, reportHere)
    if (prepared) values.set(name, prepared)
  }
  return {
    source,
    model,
    refs: new Set([...values.values()].flatMap((value) => value.refs)),
    values: (idOf) => Object.fromEntries([...values].map(([name, value]) => [name, value.resolve(idOf)])),
  }
}

/** The value of one field; undefined after a problem was reported. */
function prepareField(
  { module, now }: PrepareContext,
  model: Model,
  name: string,
  value: SourceValue,
  modelOf: ModelOf,
  report: Report,
): PreparedValue | undefined {
  const field = model.fields.get(name)
  try {
    if (field === undefined || field.system) throw new Refusal('There is no such field.')
    const prepared = prepareValue(module, now, field, value, modelOf)
    for (const ref of prepared.refs) requireRef(field, value, ref, modelOf(ref))
    if (prepared.refs.length === 0 || value.kind === 'json')
      checkValue(
        field,
        prepared.resolve(() => 1),
      )
    return prepared
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    report(`${name}: ${error.message}`)
    return undefined
  }
}

/** Records that are created together with the one they belong to. */
function prepareLines(
  context: PrepareContext,
  model: Model,
  name: string,
  lines: readonly SourceLine[],
  modelOf: ModelOf,
  report: Report,
): PreparedValue | undefined {
  const relation = model.fields.get(name)?.relation
  const target = relation?.kind === 'one2many' ? context.registry.model(relation.target) : undefined
  if (target === undefined) return void report(`${name}: Has no lines.`)
  const prepared = lines.map(({ line, fields }) =>
    fields.flatMap(([column, value]) => {
      const reportHere: Report = (reason) => report(`${name}/${reason}`, line)
      const cell = prepareField(context, target, column, value, modelOf, reportHere)
      return cell === undefined ? [] : [[column, cell] as const]
    }),
  )
  return {
    refs: prepared.flatMap((cells) => cells.flatMap(([, cell]) => cell.refs)),
    resolve: (idOf) =>
      prepared.map((cells) => [0, 0, Object.fromEntries(cells.map(([column, cell]) => [column, cell.resolve(idOf)]))]),
  }
}

function requireRef(field: Field, value: SourceValue, ref: Xmlid, model: string | undefined): void {
  if (model === undefined) throw new Refusal(`${ref} is not known, or defined only later.`)
  const target = field.relation?.target
  if (value.kind !== 'json' && target !== model) throw new Refusal(`${ref} is a record of ${model}, not of ${target}.`)
}

function checkValue(field: Field, value: unknown): void {
  if (value !== null) field.type.parse(value, field)
}

function prepareValue(module: string, now: Date, field: Field, value: SourceValue, modelOf: ModelOf): PreparedValue {
  switch (value.kind) {
    case 'text':
      return constant(parseFieldText(field, value.text, now))
    case 'loose':
      return field.relation === null
        ? constant(parseFieldText(field, value.text, now))
        : links(field, looseRefs(module, value.text, modelOf))
    case 'refs':
      return links(field, value.xmlids)
    case 'lines':
      throw new Refusal('Takes no lines here.')
    case 'json':
      return { refs: jsonRefs(module, value.value), resolve: (idOf) => resolveJson(module, value.value, idOf) }
  }
}

const constant = (wire: unknown): PreparedValue => ({ refs: [], resolve: () => wire })

/** Resolves alternatives (`base.user_admin|base.user_demo`) to the first known id, otherwise to the last. */
function looseRefs(module: string, text: string, modelOf: ModelOf): Xmlid[] {
  return text.split(',').map((alternatives) => {
    const refs = splitRefs(module, alternatives, '|')
    const ref = refs.find((each) => each !== null && modelOf(each) !== undefined) ?? refs.at(-1)
    if (ref === undefined || ref === null || refs.includes(null)) throw new Refusal(`"${text}" is not an external id.`)
    return ref
  })
}

/** One record for a many2one, the whole set for the others. */
function links(field: Field, refs: readonly Xmlid[]): PreparedValue {
  if (field.relation === null) throw new Refusal('Does not link to records, so it takes no ref.')
  if (field.relation.kind !== 'many2one') return { refs, resolve: (idOf) => [[6, 0, refs.map(idOf)]] }
  const [ref] = refs
  if (ref === undefined || refs.length > 1) throw new Refusal('Links to one record.')
  return { refs, resolve: (idOf) => idOf(ref) }
}

/** `{"ref": "module.name"}` and nothing else in it. */
function refInJson(module: string, value: object): Xmlid | null {
  const { ref, ...rest } = value as { readonly ref?: unknown }
  if (typeof ref !== 'string' || Object.keys(rest).length > 0) return null
  const xmlid = fullXmlid(module, ref)
  if (xmlid === null) throw new Refusal(`"${ref}" is not an external id.`)
  return xmlid
}

function jsonRefs(module: string, value: unknown): Xmlid[] {
  if (typeof value !== 'object' || value === null) return []
  const ref = refInJson(module, value)
  return ref === null ? Object.values(value).flatMap((item) => jsonRefs(module, item)) : [ref]
}

function resolveJson(module: string, value: unknown, idOf: IdOf): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolveJson(module, item, idOf))
  const ref = refInJson(module, value)
  if (ref !== null) return idOf(ref)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveJson(module, item, idOf)]))
}
