import { signal } from '@preact/signals'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import type { Rpc } from '../../addons/web/client/net/rpc.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createDraft, type RecordDraft } from '../../addons/web/client/store/draft.ts'
import { createOnchange } from '../../addons/web/client/store/onchange.ts'
import type { OnchangeAnswer } from '../../addons/web/client/store/queries.ts'
import type { Values } from '../../addons/web/client/store/records.ts'
import { writableValues } from '../../addons/web/client/store/writable.ts'
import { addLine, applyCommands, openLines } from '../../addons/web/client/store/x2many.ts'
import { textOfChange } from '../../addons/web/client/views/form/chatter/change-text.ts'
import { readForm } from '../../addons/web/client/views/form/model/arch.ts'
import { findLock } from '../../addons/web/client/views/form/model/read-only.ts'
import { findPosition, positionIn } from '../../addons/web/client/views/form/model/record-position.ts'
import { findMissing } from '../../addons/web/client/views/form/save/find-missing.ts'
import { parseArch } from '../../kernel/view/arch/parse-arch.ts'
import type { WireArch, WireField, WireRelated, WireWorkspace } from '../../kernel/view/wire.ts'

const field = (name: string, type: string, more: Partial<WireField> = {}): WireField => ({
  name,
  type,
  label: name,
  ...more,
})

const LINES: WireRelated = {
  model: 'shop.line',
  access: { create: true, write: true, unlink: true },
  fields: [field('product', 'char', { required: true }), field('subtotal', 'float', { readonly: true })],
}
const FIELDS = [
  field('name', 'char', { required: true }),
  field('code', 'char'),
  field('total', 'float', { readonly: true }),
  field('line_ids', 'one2many'),
]

function wire(xml: string): WireArch {
  const parsed = parseArch(xml, { addon: 'shop', viewId: 1 })
  if (!('root' in parsed)) throw new Error('the arch cannot be read')
  const access = { create: true, write: true, unlink: true }
  return { type: 'form', model: 'shop.order', fields: FIELDS, related: { line_ids: LINES }, root: parsed.root, access }
}

const draftOf = (values: Values, id: number | null = 1): RecordDraft =>
  createDraft({ model: 'shop.order', id, fields: FIELDS, base: signal(values) })

beforeAll(() => {
  for (const type of ['char', 'float', 'one2many']) fields.add(type, { Widget: () => null })
})

const ORDER = `<form>
  <header><button name="action_go" type="object" string="Go"/><field name="code" widget="statusbar"/></header>
  <sheet>
    <div name="button_box"><button name="action_see" type="object" icon="truck"/></div>
    <field name="code" class="avatar" nolabel="1"/>
    <h1><field name="name"/></h1>
    <group><group><field name="code"/></group></group>
    <notebook name="pages"><page name="lines" string="Lines"><field name="line_ids"><list><field name="product"/></list></field></page></notebook>
  </sheet>
  <chatter/>
</form>`

describe('the arch of a form', () => {
  const form = readForm(wire(ORDER), 'f')

  test('is taken apart into bar, smart buttons, title and fields', () => {
    expect(form.buttons.map(({ attrs }) => attrs['name'])).toEqual(['action_go'])
    expect(form.steps.map(({ attrs }) => attrs['name'])).toEqual(['code'])
    expect(form.smart.map(({ attrs }) => attrs['name'])).toEqual(['action_see'])
    expect(form.avatar?.attrs['name']).toBe('code')
    expect(form.headline.map(({ tag }) => tag)).toEqual(['h1'])
    expect(form.body.filter((node) => typeof node !== 'string').map(({ tag }) => tag)).toEqual(['group', 'notebook'])
    expect(form.hasChatter).toBe(true)
  })

  test('gives every control an id of its own, and columns of lines none', () => {
    expect([...form.ids.values()]).toEqual(['f-code', 'f-code-2', 'f-name', 'f-code-3', 'f-line_ids'])
  })

  test('without a sheet or a title is just its fields', () => {
    const plain = readForm(wire('<form><field name="name"/><field name="code"/></form>'), 'f')
    expect(plain.headline).toEqual([])
    expect(plain.body).toHaveLength(2)
  })
})

describe('a form that cannot be edited', () => {
  const LOCKABLE = `<form><header><field name="code"/></header><field name="total"/><field name="name" readonly="code == 'done'"/>
    <group invisible="code == 'done'"><field name="code"/></group></form>`
  const lock = (xml: string, code: string, mayEdit = true) =>
    findLock({
      arch: readForm(wire(xml), 'f'),
      mayEdit,
      scope: { value: { values: { code }, uid: 1, today: '2026-01-01' } },
    })

  test('says whether the user or the state of the record is the reason', () => {
    expect(lock(LOCKABLE, 'draft')).toBe(null)
    expect(lock(LOCKABLE, 'done')).toBe('state')
    expect(lock(LOCKABLE, 'done', false)).toBe('access')
  })

  test('says nothing if it is made to be read', () => {
    expect(lock('<form><field name="total"/><field name="name" readonly="1"/></form>', 'done', false)).toBe(null)
  })
})

describe('what is required', () => {
  const scope = { values: { code: 'x' }, uid: 1, today: '2026-01-01' }
  const missing = (xml: string, draft: RecordDraft) =>
    findMissing({ arch: readForm(wire(xml), 'f'), draft, scope, related: { line_ids: LINES } })

  test('by the model or by a condition is named in a sentence', () => {
    const xml = '<form><field name="name"/><field name="code" required="code == \'x\'"/></form>'
    expect(missing(xml, draftOf({}))).toEqual({ name: 'name is required.', code: 'code is required.' })
    expect(missing(xml, draftOf({ name: 'A', code: 'B' }))).toEqual({})
  })

  test('is not demanded of a field that cannot be edited', () => {
    expect(missing('<form><field name="name" readonly="1"/></form>', draftOf({}))).toEqual({})
    expect(missing('<form><field name="name" invisible="1"/></form>', draftOf({}))).toEqual({})
    expect(missing('<form><group invisible="code"><field name="name"/></group></form>', draftOf({}))).toEqual({})
  })

  test('is looked for in new lines, too', () => {
    const xml = '<form><field name="line_ids"><list><field name="product"/></list></field></form>'
    const draft = draftOf({ line_ids: [7] })
    expect(missing(xml, draft)).toEqual({})
    draft.setLines('line_ids', addLine(openLines([7]), {})[0])
    expect(missing(xml, draft)).toEqual({ line_ids: 'Line 2: product is required.' })
    draft.setLines('line_ids', { ...draft.lines('line_ids'), blank: -1 })
    expect(missing(xml, draft)).toEqual({})
  })
})

describe('what is sent', () => {
  const options = {
    fields: new Map(FIELDS.map((each) => [each.name, each])),
    related: { line_ids: LINES },
    defaults: { hidden: 1 },
  }

  test('is what the user may write, and defaults of fields that are not shown', () => {
    const values = { name: 'A', total: 9, hidden: 1, strange: 2 }
    expect(writableValues(values, options)).toEqual({ name: 'A', hidden: 1 })
  })

  test('has lines without what the server computes; a line with nothing else is left out', () => {
    const commands = [
      [0, -1, { product: 'P', subtotal: 1 }],
      [1, 7, { subtotal: 2 }],
      [2, 8],
    ]
    expect(writableValues({ line_ids: commands }, options)).toEqual({
      line_ids: [
        [0, -1, { product: 'P' }],
        [2, 8],
      ],
    })
    expect(writableValues({ line_ids: [[1, 7, { subtotal: 2 }]] }, options)).toEqual({})
  })
})

test('an answer about a new line changes that line', () => {
  const [lines, id] = addLine(openLines([]), { product: 'P' })
  const answered = applyCommands(lines, [[0, id, { subtotal: 4 }]])
  expect(answered.rows).toEqual([id])
  expect(answered.values[id]).toEqual({ product: 'P', subtotal: 4 })
})

describe('an onchange', () => {
  interface Question {
    readonly changed: readonly string[]
    answer(value: Values): void
  }

  function begin() {
    const questions: Question[] = []
    const rpc = {
      call: (
        _model: string,
        _method: string,
        args: readonly unknown[],
        _kwargs: unknown,
        { signal }: { signal: AbortSignal },
      ) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
          // The second argument of an onchange.
          questions.push({ changed: args[1] as string[], answer: (value) => resolve({ value, warnings: [] }) })
        }),
    }
    // Only calls are made here.
    provideServices({ rpc: rpc as unknown as Rpc } as ClientServices)
    const answers: OnchangeAnswer[] = []
    const onchange = createOnchange({
      draft: draftOf({}),
      names: ['name'],
      onAnswer: (answer) => answers.push(answer),
      onError: () => undefined,
    })
    return { onchange, questions, values: () => answers.map(({ value }) => value) }
  }

  test('waits for the last edit, asks once for all, and only the newest answer counts', async () => {
    vi.useFakeTimers()
    const { onchange, questions, values } = begin()
    onchange.ask('name')
    onchange.ask('code')
    await vi.advanceTimersByTimeAsync(119)
    expect(questions).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(questions.map(({ changed }) => changed)).toEqual([['name', 'code']])
    onchange.ask('code')
    questions[0]!.answer({ code: 'stale' })
    await vi.advanceTimersByTimeAsync(120)
    expect(questions[1]!.changed.toSorted()).toEqual(['code', 'name'])
    questions[1]!.answer({ code: 'fresh' })
    await vi.advanceTimersByTimeAsync(0)
    expect(values()).toEqual([{ code: 'fresh' }])
    onchange.ask('name')
    await vi.advanceTimersByTimeAsync(120)
    expect(questions[2]!.changed).toEqual(['name'])
    vi.useRealTimers()
  })

  test('of a new record is waited for; what was typed meanwhile stays', async () => {
    vi.useFakeTimers()
    const { onchange, questions, values } = begin()
    void onchange.begin()
    onchange.ask('name')
    await vi.advanceTimersByTimeAsync(200)
    expect(questions.map(({ changed }) => changed)).toEqual([[]])
    questions[0]!.answer({ name: 'default', code: 'default' })
    await vi.advanceTimersByTimeAsync(0)
    expect(values()).toEqual([{ code: 'default' }])
    expect(questions.map(({ changed }) => changed)).toEqual([[], ['name']])
    vi.useRealTimers()
  })

  test('that is under way is finished before a save', async () => {
    const { onchange, questions } = begin()
    onchange.ask('name')
    let isSettled = false
    const settled = onchange.settled().then(() => {
      isSettled = true
    })
    await vi.waitFor(() => expect(questions).toHaveLength(1))
    expect(isSettled).toBe(false)
    questions[0]!.answer({})
    await settled
  })
})

describe('previous and next', () => {
  const walk = { model: 'm', ids: [4, 5, 6], offset: 80, total: 200, domain: [], order: '' }

  test('are the neighbours in the list, counted from its first', () => {
    expect(positionIn(walk, 5)).toEqual({ index: 81, total: 200, previous: 4, next: 6 })
    expect(positionIn(walk, 4)).toMatchObject({ previous: null, next: 5 })
    expect(positionIn(walk, 9)).toBeNull()
    expect(positionIn({ ...walk, offset: 0, total: null }, 5)).toEqual({ index: 1, total: null, previous: 4, next: 6 })
  })

  test('are counted among all records of the action, of which only the first are loaded at once', async () => {
    const all = Array.from({ length: 882 }, (_, n) => n + 1)
    const call = async (_model: string, method: string, _args: unknown, { offset = 0, limit = 80 } = {}) =>
      method === 'search_read' ? all.slice(offset, offset + limit).map((id) => ({ id })) : [{ __count: all.length }]
    provideServices({ rpc: { call } } as unknown as ClientServices)
    const at = (recordId: number) =>
      findPosition(
        { model: 'core.partner', recordId, domain: [], searchDomain: [], listSort: '' } as unknown as WireWorkspace,
        new AbortController().signal,
      )
    expect(await at(407)).toEqual({ index: 406, total: 882, previous: 406, next: 408 })
    expect(await at(500)).toEqual({ index: 499, total: 882, previous: 499, next: 501 })
  })
})

test('a tracked change reads as words', () => {
  expect(
    [
      null,
      true,
      [3, 'Ada'],
      [
        [3, 'Ada'],
        [4, 'Bo'],
      ],
      [],
      '2026-03-01',
      '2026-03-01T15:05:00Z',
      'plain',
    ].map((value) => textOfChange(value)),
  ).toEqual(['empty', 'Yes', 'Ada', 'Ada, Bo', 'empty', 'Mar 1, 2026', 'Mar 1, 2026, 03:05 PM', 'plain'])
})

test('a tracked change of an amount reads with its currency', () => {
  expect([textOfChange(1250, 'EUR'), textOfChange(1250.5)]).toEqual(['€1,250.00', '1,250.5'])
})
