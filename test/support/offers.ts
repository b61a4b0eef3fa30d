import type { Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import { checkQuery, exportParams, prepareExport } from '../../kernel/exchange/export/export-query.ts'
import { stageImport } from '../../kernel/exchange/import/stage.ts'
import { isTrue, type Scope } from '../../kernel/expression/evaluate.ts'
import { parseExpression } from '../../kernel/expression/parse.ts'
import { callAction } from '../../kernel/orm/record/action.ts'
import { create } from '../../kernel/orm/record/create.ts'
import { read } from '../../kernel/orm/record/read.ts'
import { unlink } from '../../kernel/orm/record/unlink.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { type ArchNode, elementsBelow, elementsOf } from '../../kernel/view/arch/arch.ts'
import type { WireArch, WireField, WireRecord, WireRelated, WireWorkspace } from '../../kernel/view/wire.ts'
import { undone } from '../../kernel/work/undoable.ts'

/** An action that the client offers on a screen, as a call to the server. */
interface Offer {
  readonly what: string
  /** Codes of expected refusals: the screen asks for missing values, or shows before what cannot be done. */
  readonly expected?: readonly string[]
  /** Model of the record that is deleted. A record of another model, which would go with it, may be closed to the user; the screen names it. */
  readonly deletedFrom?: string
  run(): Promise<unknown>
}

/** The form asks for a missing value. */
const ASKED = ['VALIDATION']
/** Another record prevents it, which the screen names: one that still refers to it, or already has its name. */
const TOLD = ['VALIDATION', 'CONFLICT']
/** For a selection the client tries first, shows which records refuse and why, and offers the action for the others. */
const PARTLY = [...TOLD, 'ACCESS_DENIED']

/** The offered actions that the server refuses; all of them are rolled back. */
export async function refusedOf(env: Env, place: string, offers: readonly Offer[]): Promise<readonly string[]> {
  const refused: string[] = []
  for (const { what, expected = [], deletedFrom, run } of offers) {
    const error = await undone(env, run).then(
      (answer) => (answer instanceof AppError ? answer : null),
      (thrown: unknown) => {
        const known = translatePgError(thrown)
        if (known instanceof AppError) return known
        throw known
      },
    )
    const isAnother = deletedFrom !== undefined && ![undefined, deletedFrom].includes(modelOfError(error))
    if (error && !isAnother && !expected.includes(error.code))
      refused.push(`${place}, ${what}: ${error.code} ${error.message}`)
  }
  return refused
}

const modelOfError = (error: AppError | null): string | undefined => {
  const model = error?.details?.['model']
  return typeof model === 'string' ? model : undefined
}

const holds = ({ attrs }: ArchNode, name: string, scope: Scope): boolean => {
  const condition = attrs[name]
  return condition !== undefined && isTrue(parseExpression(condition), scope)
}

const scopeOf = ({ user, now }: Env, values: WireRecord): Scope => ({
  values,
  uid: user.id,
  today: now.toISOString().slice(0, 10),
})

/** Elements that a view shows of its own record, without those that their condition or that of what is around them hides. */
function shown(root: ArchNode, scope: Scope): readonly ArchNode[] {
  return elementsOf(root)
    .filter((node) => !holds(node, 'invisible', scope))
    .flatMap((node) => (node.tag === 'field' || node.tag === 'button' ? [node] : shown(node, scope)))
}

const LISTS: ReadonlySet<string> = new Set(['one2many', 'many2many'])
const FILES: ReadonlySet<string> = new Set(['binary', 'image'])

/** A value as it is written. */
const written = ({ type }: WireField, value: unknown): unknown =>
  type === 'many2one' && Array.isArray(value) ? value[0] : value

const sameValues = (fields: readonly WireField[], record: WireRecord) =>
  Object.fromEntries(
    fields
      .filter(({ type, readonly }) => !readonly && !FILES.has(type) && !LISTS.has(type))
      .map((field) => [field.name, written(field, record[field.name])]),
  )

/** The buttons, fields and lines of a form, and the menu of its record. */
export async function offersOnForm(env: Env, { arch, records }: WireWorkspace): Promise<readonly Offer[]> {
  const model = modelOf(env, arch.model)
  const record = records[0]!
  const ids = [record.id]
  const nodes = shown(arch.root, scopeOf(env, record))
  const fields = new Map(arch.fields.map((field) => [field.name, field]))
  const lines: Offer[] = []
  for (const node of nodes) {
    const field = fields.get(node.attrs['name'] ?? '')
    const related = arch.related[field?.name ?? '']
    if (!field || !related || !LISTS.has(field.type) || !isEdited(env, arch, field, node, record)) continue
    lines.push(...(await offersOfLines(env, { arch, record, field, node, related })))
  }
  return [
    ...nodes.filter(isObjectButton).map((node) => buttonOffer(env, arch, node, ids)),
    ...nodes.flatMap((node): Offer[] => {
      const field = fields.get(node.attrs['name'] ?? '')
      if (!field || node.tag !== 'field' || LISTS.has(field.type) || FILES.has(field.type)) return []
      if (!isEdited(env, arch, field, node, record)) return []
      const vals = { [field.name]: written(field, record[field.name]) }
      return [{ what: `change ${field.name}`, run: () => write(env, model, ids, vals) }]
    }),
    ...lines,
    ...recordOffers(env, arch, record),
  ]
}

const isEdited = (env: Env, { access }: WireArch, field: WireField, node: ArchNode, record: WireRecord): boolean =>
  access.write && !field.readonly && !holds(node, 'readonly', scopeOf(env, record))

const isObjectButton = ({ tag, attrs }: ArchNode): boolean => tag === 'button' && attrs['type'] === 'object'

function buttonOffer(env: Env, arch: WireArch, { attrs }: ArchNode, ids: readonly number[]): Offer {
  const { name = '', ask_field: asked } = attrs
  const vals = { ...(asked !== undefined && { [asked]: 'Because' }), active_ids: ids.join() }
  return { what: name, run: () => callAction(env, modelOf(env, arch.model), ids.slice(0, 1), name, vals) }
}

/** The menu of a form. */
function recordOffers(env: Env, arch: WireArch, record: WireRecord): readonly Offer[] {
  const model = modelOf(env, arch.model)
  const copied = arch.fields.filter(({ uncopied }) => !uncopied)
  // A model with its own copy action has a button for it.
  const hasOwn = [...elementsBelow(arch.root)].some(({ attrs }) => attrs['name'] === 'action_duplicate')
  return [
    ...(arch.access.create ? [{ what: 'New', expected: ASKED, run: () => create(env, model, [{}]) }] : []),
    ...(arch.access.create && !hasOwn
      ? [{ what: 'Duplicate', expected: TOLD, run: () => create(env, model, [sameValues(copied, record)]) }]
      : []),
    ...removalOffers(env, arch, record, { archive: [], unlink: TOLD }),
  ]
}

function removalOffers(
  env: Env,
  { model: name, access, archivable }: WireArch,
  record: WireRecord,
  expected: Readonly<Record<'archive' | 'unlink', readonly string[]>>,
): readonly Offer[] {
  const model = modelOf(env, name)
  const active = record['active'] === false
  return [
    ...(access.write && archivable
      ? [{ what: 'Archive', expected: expected.archive, run: () => write(env, model, [record.id], { active }) }]
      : []),
    ...(access.unlink
      ? [
          {
            what: 'Delete',
            expected: expected.unlink,
            deletedFrom: name,
            run: () => unlink(env, model, [record.id]),
          },
        ]
      : []),
  ]
}

/** The menu of a card and the way to another column, which here is its own. */
export function offersOnCard(env: Env, { arch }: WireWorkspace, record: WireRecord): readonly Offer[] {
  if (holds(arch.root, 'readonly', scopeOf(env, record))) return []
  const field = arch.kanban?.draggable ? arch.fields.find(({ name }) => name === arch.kanban?.groupField) : undefined
  const vals = field && { [field.name]: written(field, record[field.name]) }
  return [
    ...(vals ? [{ what: 'Move', run: () => write(env, modelOf(env, arch.model), [record.id], vals) }] : []),
    ...removalOffers(env, arch, record, { archive: [], unlink: TOLD }),
  ]
}

interface LinesOf {
  readonly arch: WireArch
  readonly record: WireRecord
  readonly field: WireField
  readonly node: ArchNode
  readonly related: WireRelated
}

/** Adding, changing and removing the lines of a form, and the buttons of a line. */
async function offersOfLines(env: Env, { arch, record, field, node, related }: LinesOf): Promise<readonly Offer[]> {
  const model = modelOf(env, arch.model)
  const target = modelOf(env, related.model)
  const list = elementsOf(node).find(({ tag }) => tag === 'list')
  const [first] = Array.isArray(record[field.name]) ? (record[field.name] as readonly number[]) : []
  const command = (what: string, ...commands: readonly unknown[]): Offer => ({
    what: `${what} ${field.name}`,
    run: () => write(env, model, [record.id], { [field.name]: commands }),
  })
  const isEditable = list?.attrs['editable'] !== undefined
  const isOwned = field.type === 'one2many'
  const adds =
    isOwned && isEditable && related.access.create ? [{ ...command('add to', [0, 0, {}]), expected: ASKED }] : []
  if (first === undefined) return adds
  const names = related.fields.map(({ name }) => name)
  const [values] = await read(env, target, [first], names)
  const line: WireRecord = { ...values, id: first }
  const scope = { ...scopeOf(env, line), parent: scopeOf(env, record) }
  const isLocked = list !== undefined && holds(list, 'readonly', scope)
  const cells = related.fields.filter(({ name }) =>
    list?.children.some(
      (cell) => typeof cell !== 'string' && cell.attrs['name'] === name && !holds(cell, 'readonly', scope),
    ),
  )
  return [
    ...adds,
    ...(isOwned && isEditable && !isLocked && related.access.write
      ? [command('change a line of', [1, first, sameValues(cells, line)])]
      : []),
    ...(!isOwned || (list && !isLocked && related.access.unlink)
      ? [{ ...command('remove from', [isOwned ? 2 : 3, first]), expected: TOLD }]
      : []),
    ...elementsOf(list ?? node)
      .filter((each) => isObjectButton(each) && !holds(each, 'invisible', scope))
      .map((each) => ({ ...buttonOffer(env, { ...arch, model: related.model }, each, [first]) })),
  ]
}

/** The buttons of the rows and of the selection of a list, changes of its cells, and its files. */
export function offersOnList(env: Env, { arch, actionId }: WireWorkspace, record: WireRecord): readonly Offer[] {
  const model = modelOf(env, arch.model)
  const ids = [record.id]
  const [header] = elementsOf(arch.root).filter(({ tag }) => tag === 'header')
  const cells = elementsOf(arch.root).filter(({ tag }) => tag === 'field')
  const fields = new Map(arch.fields.map((field) => [field.name, field]))
  const scope = scopeOf(env, record)
  const isLocked = holds(arch.root, 'readonly', scope)
  const isEditable =
    arch.access.write && !isLocked && (arch.root.attrs['editable'] ?? arch.root.attrs['multi_edit']) !== undefined
  const columns = cells.map(({ attrs }) => attrs['name'] ?? '').filter((name) => fields.has(name))
  return [
    ...(header ? elementsOf(header) : []).filter(isObjectButton).map((node) => ({
      ...buttonOffer(env, arch, node, ids),
      expected: PARTLY,
    })),
    ...elementsOf(arch.root)
      .filter((node) => isObjectButton(node) && !holds(node, 'invisible', scope))
      .map((node) => buttonOffer(env, arch, node, ids)),
    ...cells.flatMap((node): Offer[] => {
      const field = fields.get(node.attrs['name'] ?? '')
      if (!isEditable || !field || field.readonly || FILES.has(field.type) || holds(node, 'readonly', scope)) return []
      const vals = { [field.name]: written(field, record[field.name]) }
      return [{ what: `change the cell ${field.name}`, run: () => write(env, model, ids, vals) }]
    }),
    ...removalOffers(env, arch, record, { archive: PARTLY, unlink: PARTLY }),
    ...(arch.exportable && columns.length > 0 ? [exportOffer(env, arch, actionId, columns)] : []),
    ...(arch.access.create ? [importOffer(env, arch, actionId, columns)] : []),
  ]
}

const exportOffer = (env: Env, { model }: WireArch, actionId: number, columns: readonly string[]): Offer => ({
  what: 'Export',
  async run() {
    const query = exportParams.parse({
      model,
      fields: columns.join(),
      ...(actionId > 0 && { action: String(actionId) }),
    })
    await checkQuery(env, await prepareExport(env, query))
  },
})

const importOffer = (env: Env, { model }: WireArch, actionId: number, columns: readonly string[]): Offer => ({
  what: 'Import',
  run: () =>
    stageImport(env, {
      model,
      file: {
        name: 'new.csv',
        bytes: new TextEncoder().encode(`${columns.join()}\n${columns.map(() => 'x').join()}\n`),
      },
      ...(actionId > 0 && { action: actionId }),
    }),
})
