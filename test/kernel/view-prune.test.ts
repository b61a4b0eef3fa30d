import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContentViewType } from '../../kernel/view/arch/arch.ts'
import { parseArch } from '../../kernel/view/arch/parse-arch.ts'
import { pruneArch } from '../../kernel/view/prune.ts'
import type { WireArch } from '../../kernel/view/wire.ts'
import { toWireArch } from '../../kernel/view/wire-arch.ts'
import { archText } from '../support/arch-text.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['library'])
  await people.hire('reader', ['library.group_user'])
  await people.hire('librarian', ['library.group_librarian'])
})
afterAll(() => people.leave())

const rootOf = (text: string) => {
  const parsed = parseArch(text, { addon: 'library', viewId: 1 })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.root
}

const prune = (login: string, text: string, model = 'library.book'): Promise<string> =>
  people.as(login, async (env) => archText(pruneArch(env, model, rootOf(text))))

const wire = (login: string, text: string, type: ContentViewType = 'form', model = 'library.book'): Promise<WireArch> =>
  people.as(login, async (env) =>
    toWireArch(env, env.registry.model(model)!, type, { viewId: 1, root: rootOf(text), problems: ['broken'] }),
  )

describe('a user sees', () => {
  test('no element for other groups, and no names of groups in the others', async () => {
    const view = `<form><div groups="group_librarian"/><p groups="!library.group_librarian"/><h1 groups="base.group_system,group_user"/></form>`
    expect(await prune('reader', view)).toBe('<form create="0" edit="0" delete="0"><p/><h1/></form>')
    expect(await prune('librarian', view)).toBe('<form><div/><h1/></form>')
  })

  test('no field they may not read, nor elements that are useless without it', async () => {
    const view = `<form create="0"><group><field name="purchase_price"/></group><label for="purchase_price"/><field name="title"/></form>`
    expect(await prune('reader', view)).toBe('<form create="0" edit="0" delete="0"><field name="title"/></form>')
    expect(await prune('librarian', view)).toContain('purchase_price')
  })

  test('no such field inside the views of lines either, and no order by it', async () => {
    const view = `<form><field name="book_ids"><list default_order="purchase_price desc,title"><field name="title"/><field name="purchase_price"/></list></field></form>`
    expect(await prune('reader', view, 'library.shelf')).toBe(
      '<form create="0" edit="0" delete="0"><field name="book_ids"><list default_order="title" create="0" edit="0" delete="0"><field name="title"/></list></field></form>',
    )
  })

  test('no lines of a model they may not read', async () => {
    expect(await prune('ann', '<form><field name="book_ids"/></form>', 'library.shelf')).not.toContain('book_ids')
  })
})

describe('what travels to the browser', () => {
  test('describes the fields of the view, of its conditions and of the amounts in it', async () => {
    const arch = await wire(
      'librarian',
      `<form><field name="title" invisible="state == 'lost'"/><field name="price"/>
        <field name="line_ids"><list><field name="days" readonly="parent.is_rare"/></list></field></form>`,
    )
    expect(arch.fields.map((field) => field.name)).toEqual([
      'state',
      'title',
      'price',
      'currency_id',
      'line_ids',
      'is_rare',
    ])
    expect(arch.fields[1]).toMatchObject({
      name: 'title',
      type: 'char',
      label: 'Title',
      required: true,
      sortable: true,
    })
    expect(arch.related['line_ids']).toMatchObject({ model: 'library.loan.line', fields: [{ name: 'days' }] })
    expect(arch.related['currency_id']).toMatchObject({ model: 'core.currency', access: { create: false } })
    expect(arch.access).toEqual({ create: true, write: true, unlink: true })
  })

  test('describes no fields the user may not read, and warns administrators only', async () => {
    const view =
      '<list default_group_by="state"><field name="purchase_price"/><field name="title" decoration-info="purchase_price"/></list>'
    const arch = await wire('reader', view, 'list')
    expect(arch.fields.map((field) => field.name)).toEqual(['state', 'title'])
    expect(arch.access).toEqual({ create: false, write: false, unlink: false })
    expect(arch.warnings).toBeUndefined()
    expect((await wire('admin', view, 'list')).warnings).toEqual(['broken'])
  })

  test('has no place in files, and a secret only where it can be set', async () => {
    const arch = await wire('admin', '<form><field name="password"/><field name="login"/></form>', 'form', 'core.user')
    expect(JSON.stringify(arch)).not.toContain('"source"')
    expect(arch.fields.map((field) => field.name)).toEqual(['login'])
    expect(archText(arch.root)).toContain('<field name="password" string="Password"/>')
  })
})
