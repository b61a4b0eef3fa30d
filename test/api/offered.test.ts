import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import { isTrue, type Scope } from '../../kernel/expression/evaluate.ts'
import { parseExpression } from '../../kernel/expression/parse.ts'
import { create } from '../../kernel/orm/record/create.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { actOnRecords } from '../../kernel/shell/act-on-records.ts'
import { bootstrapOf } from '../../kernel/shell/bootstrap.ts'
import { type ArchNode, elementsOf } from '../../kernel/view/arch/arch.ts'
import type { WireMenu, WireWorkspace } from '../../kernel/view/wire.ts'
import { undoable } from '../../kernel/work/undoable.ts'
import { loadWorkspace } from '../../kernel/workspace/workspace.ts'
import type { WorkspaceQuery } from '../../kernel/workspace/workspace-query.ts'
import { openPeople, type People } from '../support/people.ts'
import { repeats } from '../support/soak.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts', 'product', 'sale', 'crm', 'project'])
})
afterAll(() => people.leave())

/** Forms that are opened of each menu, spread over its records. */
const FORMS = repeats(2, 20)

/** An end of a transaction that takes back what only was tried. */
const TRIED = new Error('tried')

/** Why an operation is refused; null: it is not. Nothing of it is left. */
async function refusalOf(env: Env, run: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await undoable(env, async () => {
      await run()
      throw TRIED
    })
  } catch (error) {
    if (error === TRIED) return null
    if (error instanceof AppError) return error
    throw error
  }
  return null
}

const hrefsOf = (menus: readonly WireMenu[]): readonly string[] =>
  menus.flatMap(({ href, children }) => [...(href === null ? [] : [href]), ...hrefsOf(children)])

const queryOf = (href: string): WorkspaceQuery =>
  Object.fromEntries(
    [...new URL(href, 'http://localhost').searchParams].map(([name, value]) => [
      name,
      /^\d+$/.test(value) ? Number(value) : value,
    ]),
  )

/** Elements that a form shows of its own record, without those that their condition or that of what is around them hides. */
function shown(root: ArchNode, scope: Scope): readonly ArchNode[] {
  const holds = (node: ArchNode, name: string) => {
    const condition = node.attrs[name]
    return condition !== undefined && isTrue(parseExpression(condition), scope)
  }
  return elementsOf(root)
    .filter((node) => !holds(node, 'invisible'))
    .flatMap((node) => {
      if (node.tag === 'field' || node.tag === 'button') return holds(node, 'readonly') ? [] : [node]
      return shown(node, scope)
    })
}

const UNTRIED: ReadonlySet<string> = new Set(['one2many', 'many2many', 'binary', 'image'])

/** What is offered on a form and refused. */
async function refusedOn(env: Env, form: WireWorkspace): Promise<readonly string[]> {
  const { arch } = form
  const model = modelOf(env, arch.model)
  const record = form.records[0]!
  const ids = [record.id]
  const place = `${arch.model} ${record.id}`
  const refused: string[] = []
  const note = (what: string, error: AppError | null) => error && refused.push(`${place} ${what}: ${error.message}`)
  const scope = { values: record, uid: env.user.id, today: env.now.toISOString().slice(0, 10) }
  for (const { tag, attrs } of shown(arch.root, scope)) {
    const name = attrs['name'] ?? ''
    const field = arch.fields.find((each) => each.name === name)
    if (tag === 'button' && attrs['type'] === 'object') {
      const vals = attrs['ask_field'] === undefined ? {} : { [attrs['ask_field']]: 'Because' }
      const acted = { model, ids, action: name, vals, isTrial: true }
      const error = await refusalOf(env, async () => {
        const answer = await actOnRecords(env, acted)
        for (const { message } of 'refused' in answer ? answer.refused : [])
          refused.push(`${place} ${name}: ${message}`)
      })
      note(name, error)
    } else if (field && arch.access.write && !field.readonly && !UNTRIED.has(field.type)) {
      const value = record[name]
      const same = field.type === 'many2one' && Array.isArray(value) ? value[0] : value
      note(name, await refusalOf(env, () => write(env, model, ids, { [name]: same })))
    }
  }
  if (arch.access.create) {
    const error = await refusalOf(env, () => create(env, model, [{}]))
    // What is missing is asked for by the form.
    if (error?.code !== 'VALIDATION') note('New', error)
  }
  return refused
}

test.each([
  ['a salesperson', 'tomas@example.com'],
  ['a manager of both companies', 'demo@example.com'],
  ['somebody of the second company', 'leila@example.com'],
  ['a manager of the second company', 'mia@example.com'],
  ['an administrator', 'admin'],
])('every menu, view and form offers %s only what is not refused', async (_who, login) => {
  const problems = await people.as(login, async (env) => {
    const { topMenus } = await bootstrapOf(env, { csrfToken: '', query: {} })
    const found: string[] = []
    const known = new Set<string>()
    for (const query of [...new Set(hrefsOf(topMenus))].filter((href) => href.startsWith('/web?')).map(queryOf)) {
      const { viewTabs, arch } = await loadWorkspace(env, query, '')
      for (const { mode } of viewTabs) await loadWorkspace(env, { ...query, view_type: mode }, '')
      if (known.has(arch.model)) continue
      known.add(arch.model)
      const { records } = await loadWorkspace(env, { ...query, view_type: 'list', filter: '' }, '')
      const step = Math.max(1, Math.floor(records.length / FORMS))
      for (const { id } of records.filter((_record, index) => index % step === 0)) {
        const form = await loadWorkspace(env, { ...query, view_type: 'form', id }, '')
        found.push(...(await refusedOn(env, form)))
      }
    }
    expect(known.size).toBeGreaterThan(10)
    return found
  })
  expect(problems).toEqual([])
})
