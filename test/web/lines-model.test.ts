import { expect, test, vi } from 'vitest'
import type { FieldProps } from '../../addons/web/client/core/registries.ts'
import { registerFields } from '../../addons/web/client/fields/index.ts'
import { readLines } from '../../addons/web/client/fields/lines/columns.ts'
import { createLinesModel } from '../../addons/web/client/fields/lines/model.ts'
import type { CallOptions } from '../../addons/web/client/net/rpc.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { openLines } from '../../addons/web/client/store/x2many.ts'
import { field, node } from '../support/view-parts.ts'

registerFields()

const arch = readLines(
  node('field', { name: 'line_ids' }, [
    node('list', { editable: 'bottom' }, [
      node('field', { name: 'sequence', widget: 'handle' }),
      node('field', { name: 'name' }),
      node('field', { name: 'price' }),
    ]),
  ]),
  {
    model: 'sale.order.line',
    fields: [field('sequence', 'integer'), field('name', 'char'), field('price', 'monetary')],
    access: { create: true, write: true, unlink: true },
  },
)

/** The model of a table of lines over a record that is nothing else; `lines` are those it has now. */
function openModel(rpc: object, ids: readonly number[]) {
  // Lines need only this of the services.
  provideServices({ rpc } as unknown as ClientServices)
  let lines = openLines(ids)
  const record = {
    lines: () => lines,
    setLines: (_name: string, next: typeof lines) => {
      lines = next
    },
  }
  const props = { record, field: field('line_ids', 'one2many'), node: node('field') } as unknown as FieldProps
  return {
    model: createLinesModel({ arch, props: () => props, entryOf: () => null }),
    lines: record.lines,
    discard: () => {
      lines = openLines(ids)
    },
  }
}

test('the onchange of a line asks again what it was about when one types on', async () => {
  vi.useFakeTimers()
  const asked: unknown[] = []
  const rpc = {
    call: (
      _model: string,
      _method: string,
      [, changed]: readonly unknown[],
      _kwargs: unknown,
      options: CallOptions,
    ) => {
      asked.push(changed)
      return new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(options.signal?.reason)))
    },
  }
  const { model } = openModel(rpc, [5])
  model.set(5, 'name', 'Desk')
  await vi.advanceTimersByTimeAsync(120)
  model.set(5, 'price', 4)
  await vi.advanceTimersByTimeAsync(120)
  expect(asked).toEqual([['name'], ['name', 'price']])
  vi.useRealTimers()
})

test('what is typed into a new line stays when its defaults come later', async () => {
  vi.useFakeTimers()
  const asked: { readonly changed: unknown; readonly answer: (value: object) => void }[] = []
  const rpc = {
    call: (_model: string, _method: string, [, changed]: readonly unknown[]) =>
      new Promise((resolve) => asked.push({ changed, answer: (value) => resolve({ value, warnings: [] }) })),
  }
  const { model, lines } = openModel(rpc, [])
  const row = model.add('bottom')
  model.set(row, 'price', 7)
  await vi.advanceTimersByTimeAsync(120)
  asked[0]!.answer({ name: 'Desk', price: 1 })
  await vi.advanceTimersByTimeAsync(120)
  expect(lines().values[row]).toMatchObject({ name: 'Desk', price: 7 })
  expect(asked.map(({ changed }) => changed)).toEqual([[], ['price']])
  asked[1]!.answer({ name: 'Desk, dear' })
  await vi.advanceTimersByTimeAsync(0)
  expect(lines().values[row]).toMatchObject({ name: 'Desk, dear', price: 7 })
  vi.useRealTimers()
})

test.each([
  ['removed', ({ model }: ReturnType<typeof openModel>, row: number) => model.drop(row)],
  ['discarded', ({ discard }: ReturnType<typeof openModel>) => discard()],
])('the defaults of a line that was %s do not reach the line that takes its place', async (_, remove) => {
  vi.useFakeTimers()
  const answers: ((value: object) => void)[] = []
  const rpc = {
    call: () => new Promise((resolve) => answers.push((value) => resolve({ value, warnings: [] }))),
  }
  const opened = openModel(rpc, [])
  const { model, lines } = opened
  const removed = model.add('bottom')
  remove(opened, removed)
  expect(model.add('bottom')).toBe(removed)
  answers[1]!({ price: 0 })
  await vi.advanceTimersByTimeAsync(120)
  answers[0]!({ price: 1 })
  await vi.advanceTimersByTimeAsync(120)
  expect(lines().values[removed]).toMatchObject({ price: 0 })
  vi.useRealTimers()
})
