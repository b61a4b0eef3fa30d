import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { shown, type Toast } from '../../addons/web/client/ui/toasts.tsx'
import { runPendingNow } from '../../addons/web/client/ui/undo.ts'
import { countText } from '../../addons/web/client/views/list/model/layout.ts'
import type { ListModel } from '../../addons/web/client/views/list/model/model.ts'
import { archiveSelected, deleteSelected, runListButton } from '../../addons/web/client/views/list/select/bulk.ts'
import { keepMatching } from '../../addons/web/client/views/list/select/keep-matching.ts'
import { type Acting, useList } from './list-fixture.ts'

const { questions, summaries, toasts, errors, answer } = vi.hoisted(() => ({
  errors: [] as (() => unknown)[],
  questions: [] as string[],
  summaries: [] as string[],
  toasts: [] as Toast[],
  answer: { isYes: true },
}))

vi.mock(import('../../addons/web/client/ui/dialog.tsx'), async (real) => ({
  ...(await real()),
  confirm: async ({ title }) => {
    questions.push(title)
    return answer.isYes
  },
  openDialog: async (draw) => {
    summaries.push((draw(() => undefined) as { readonly props: { readonly title: string } }).props.title)
    return false as never
  },
}))
vi.mock(import('../../addons/web/client/ui/toasts.tsx'), async (real) => ({
  ...(await real()),
  showToast: (toast) => {
    toasts.push(toast)
    return () => undefined
  },
  showError: (_, again) => void (again && errors.push(again)),
}))

const world = useList()

beforeEach(() => {
  questions.length = summaries.length = toasts.length = errors.length = 0
  shown.value = []
  answer.isYes = true
})

/** Everything that matches of a list of so many. */
function openAll(count: number) {
  world.count = count
  const model = world.open({ listTotal: count })
  model.selection.all([1, 2])
  return model
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const textOf = (toast: Toast | undefined) => (typeof toast?.text === 'object' ? toast.text.peek() : toast?.text)

describe('few records', () => {
  test('that are deleted are so too when the page is left before the time to undo it is over', async () => {
    const model = world.open()
    model.selection.only([2])
    await deleteSelected(model)
    expect(world.sent()).toEqual([])
    runPendingNow()
    expect(world.asked('unlink')).toMatchObject([{ args: [[2]], options: { keepalive: true } }])
  })

  test('are archived without a question', async () => {
    const model = world.open()
    model.selection.only([2])
    await archiveSelected(model, false)
    expect(questions).toEqual([])
    expect(world.sent()).toEqual([['write', [[2], { active: false }]]])
    expect(toasts.map(textOf)).toEqual(['1 record archived'])
  })
})

describe('records that the server did not answer about', () => {
  const breakAt = (call: number, methods = ['write', 'unlink']) => {
    let calls = 0
    world.hear = ({ method }) => {
      world.refusal = methods.includes(method) && ++calls === call ? new CallError('INTERNAL', 'Broken.') : null
    }
  }

  test('are deleted when the user tries again', async () => {
    const model = world.open()
    model.selection.only([2])
    await deleteSelected(model)
    breakAt(1)
    runPendingNow()
    await expect.poll(() => errors).toHaveLength(1)
    errors[0]?.()
    await expect
      .poll(() => world.sent())
      .toEqual([
        ['unlink', [[2]]],
        ['unlink', [[2]]],
      ])
    expect(errors).toHaveLength(1)
  })

  test('are archived when the user tries again, with Undo in the toast', async () => {
    const model = world.open()
    model.selection.only([1, 2])
    breakAt(1)
    await archiveSelected(model, false)
    expect(toasts).toEqual([])
    // Another choice meanwhile changes nothing.
    model.selection.only([1])
    errors[0]?.()
    await expect.poll(() => toasts.map(textOf)).toEqual(['2 records archived'])
    expect(world.sent().at(-1)).toEqual(['write', [[1, 2], { active: false }]])
    expect(toasts[0]?.action?.label).toBe('Undo')
  })

  test('are the rest where a part was done', async () => {
    const model = world.open()
    model.selection.only(ids(1, 1_200))
    breakAt(2)
    await archiveSelected(model, false)
    expect(toasts.map(textOf)).toEqual(['500 of 1,200 archived', 'Stopped: 500 of 1,200 archived'])
    errors[0]?.()
    await expect.poll(() => textOf(toasts.at(-1))).toBe('700 records archived')
    expect(world.sent().map(([, [sent]]) => (sent as number[])[0])).toEqual([1, 501, 501, 1_001])
  })

  test('are pressed again with what was answered before, whatever is selected by then', async () => {
    const model = world.open()
    model.selection.only([1, 2])
    let calls = 0
    world.act = ({ ids: done }) => {
      if (++calls === 1) throw new CallError('OFFLINE', 'No answer.')
      return { done, possible: done, refused: [] }
    }
    const attrs = { name: 'action_cancel', string: 'Cancel order', confirm: 'Cancel {n} orders?' }
    await runListButton(model, { tag: 'button', attrs, children: [], addon: 'sale' })
    model.selection.only([1])
    const [lost] = shown.peek()
    expect(lost?.action?.label).toBe('Try again')
    lost?.action?.run()
    await expect.poll(() => toasts).toHaveLength(1)
    expect(questions).toEqual(['Cancel 2 orders?'])
    expect(world.acts.map((act) => act.ids)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })
})

describe('the selection', () => {
  test('loses the rows that leave the list, and only these', async () => {
    const model = world.open()
    const stop = keepMatching(model)
    // The third is selected, but was never loaded.
    model.selection.only([1, 2, 3])
    world.search = () => [{ id: 2 }]
    world.count = 1
    await model.refresh()
    await expect.poll(() => [...model.selection.ids.peek()]).toEqual([2])
    world.search = () => []
    world.count = 0
    await model.refresh()
    await expect.poll(() => model.selection.isAny.peek()).toBe(false)
    stop()
  })

  test('of everything ends when no records are left', async () => {
    const model = world.open()
    const stop = keepMatching(model)
    model.selection.all([1, 2])
    world.search = () => []
    world.count = 0
    await model.refresh()
    expect(model.selection.isAny.peek()).toBe(false)
    stop()
  })
})

describe('many records', () => {
  test('are asked about', async () => {
    answer.isYes = false
    const model = openAll(99_907)
    await archiveSelected(model, false)
    await deleteSelected(model)
    expect(questions).toEqual(['Archive 99,907 records?', 'Delete 99,907 records?'])
    expect(world.sent()).toEqual([])
    expect(model.selection.isAll.peek()).toBe(true)
  })

  test('are changed part by part, counted, and the list is loaded once at the end', async () => {
    const model = openAll(1_200)
    await archiveSelected(model, false)
    expect(world.sent()).toEqual([
      ['write', [ids(1, 500), { active: false }]],
      ['write', [ids(501, 1_000), { active: false }]],
      ['write', [ids(1_001, 1_200), { active: false }]],
    ])
    expect(toasts.map(textOf)).toEqual(['1,200 of 1,200 archived', '1,200 records archived'])
    expect([world.asked('search_read'), world.asked('read_group')].map(({ length }) => length)).toEqual([3, 1])
    expect(model.isWorking.peek()).toBe(false)
  })

  test('can be stopped half-way; then it says how far it came, and that can be undone', async () => {
    const model = openAll(1_200)
    world.hear = ({ method }) => method === 'write' && toasts[0]?.action?.run()
    await archiveSelected(model, false)
    expect(textOf(toasts[1])).toBe('Stopped: 500 of 1,200 archived')
    world.calls.length = 0
    toasts[1]?.action?.run()
    await expect.poll(() => world.sent()).toEqual([['write', [ids(1, 500), { active: true }]]])
  })

  test('of which some could not be deleted are counted honestly', async () => {
    const model = openAll(1_200)
    world.hear = () => {
      if (world.sent().length > 1) world.refusal = new CallError('INTERNAL', 'Broken.')
    }
    await deleteSelected(model)
    expect(textOf(toasts.at(-1))).toBe('Stopped: 500 of 1,200 deleted')
  })

  test.each([
    ['deleted', (model: ListModel) => deleteSelected(model), 'unlink'],
    ['archived', (model: ListModel) => archiveSelected(model, false), 'archive'],
  ])('of which some refuse to be %s are left out and named, the others go on', async (done, change, action) => {
    const model = openAll(1_200)
    // One of the second batch refuses; the server does not find out of more than 200 which.
    world.hear = () => {
      world.refusal = world.sent().length === 2 ? new CallError('ACCESS_DENIED', 'In use.') : null
    }
    world.act = ({ ids: asked }) => {
      if (!asked.includes(777)) return { done: asked, possible: asked, refused: [] }
      if (asked.length > 200) throw new CallError('ACCESS_DENIED', 'In use.')
      const refused = [{ id: 777, name: 'R777', reason: 'still_referenced', message: 'In use.' }]
      return { done: [], possible: asked.filter((id) => id !== 777), refused }
    }
    await change(model)
    expect(summaries).toEqual([`1,199 records ${done}; 1 left out`])
    expect(new Set(world.acts.map((act) => act.action))).toEqual(new Set([action]))
    expect(world.sent().length).toBe(3)
  })

  test('wait for a server that is away, and Stop ends the waiting', async () => {
    const model = openAll(1_200)
    let away = 2
    world.hear = ({ method }) => {
      world.refusal = method === 'write' && away-- > 0 ? new CallError('OFFLINE', 'No answer.') : null
    }
    world.retry = async (run) => {
      for (;;)
        try {
          return await run()
        } catch (error) {
          if (away < 0) throw error
        }
    }
    await archiveSelected(model, false)
    expect(toasts.map(textOf)).toEqual(['1,200 of 1,200 archived', '1,200 records archived'])
    toasts.length = 0
    model.selection.all([1, 2])
    world.retry = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        toasts[0]?.action?.run()
      })
    await archiveSelected(model, true)
    // Nothing was done, so there is nothing to tell.
    expect(toasts.map(textOf)).toEqual(['0 of 1,200 restored'])
  })
})

describe('a button on more records than the server tries at once', () => {
  const confirmAll = (count: number) =>
    runListButton(openAll(count), {
      tag: 'button',
      attrs: { name: 'action_confirm', string: 'Confirm' },
      children: [],
      addon: 'sale',
    })
  /** Every tenth refuses; while some do nothing is done. */
  const act = ({ ids: asked }: Acting) => {
    const refused = asked
      .filter((id) => id % 10 === 0)
      .map((id) => ({ id, name: `S${id}`, reason: 'business_rule', message: 'No line.' }))
    const possible = asked.filter((id) => id % 10 !== 0)
    return refused.length > 0
      ? { done: [], possible, refused }
      : { done: asked, possible, refused, undo: `u${asked[0]}` }
  }

  test('asks first, and is done in parts, with one Undo for all of them', async () => {
    answer.isYes = false
    await confirmAll(250)
    expect(questions).toEqual(['Run “Confirm” on 250 records?'])
    expect(world.acts).toEqual([])
    answer.isYes = true
    world.act = ({ ids: done = [], token }) =>
      token ? { done } : { done, possible: done, refused: [], undo: `u${done[0]}` }
    await confirmAll(250)
    expect(world.acts.map(({ ids: asked }) => asked)).toEqual(
      [1, 51, 101, 151, 201].map((first) => ids(first, first + 49)),
    )
    expect(toasts.map(textOf)).toEqual(['“Confirm”: 250 of 250 done', '250 records: “Confirm” is done'])
    world.acts.length = 0
    toasts[1]?.action?.run()
    await expect.poll(() => toasts.map(textOf).at(-1)).toBe('Undone')
    expect(world.acts.map(({ path, token }) => [path, token])).toEqual(
      ['u201', 'u151', 'u101', 'u51', 'u1'].map((token) => ['/web/wc/undo', token]),
    )
  })

  test('leaves out what refuses, and names it at the end', async () => {
    world.act = act
    await confirmAll(250)
    expect(summaries).toEqual(['“Confirm” is done for 225 of 250 records; 25 left out'])
    expect(world.acts.at(-1)?.ids).toEqual(ids(201, 250).filter((id) => id % 10 !== 0))
  })

  test('halves a part of which the server does not find out in time what refuses', async () => {
    world.act = (asked) => {
      if (asked.ids.length > 20 && asked.ids.some((id) => id % 10 === 0)) throw new CallError('VALIDATION', 'No line.')
      return act(asked)
    }
    await confirmAll(201)
    expect(summaries).toEqual(['“Confirm” is done for 181 of 201 records; 20 left out'])
    // Fewer than that may take too long, too.
    await confirmAll(101)
    expect(questions).toEqual(['Run “Confirm” on 201 records?', 'Run “Confirm” on 101 records?'])
    expect(summaries.at(-1)).toBe('“Confirm” is done for 91 of 101 records; 10 left out')
  })

  test('that is stopped says how far it came', async () => {
    world.act = (asked) => {
      toasts[0]?.action?.run()
      return { done: asked.ids, possible: asked.ids, refused: [] }
    }
    await confirmAll(250)
    expect(textOf(toasts.at(-1))).toBe('Stopped: “Confirm” is done for 50 of 250 records')
    expect(toasts.at(-1)?.action).toBeUndefined()
  })
})

describe('more records than the server counts', () => {
  test('are counted to the end once the first rows are there', async () => {
    world.count = 100_123
    const { list } = world.open({ listTotal: 10_000, listTotalExact: false })
    expect(countText(list)).toBe('10,000+')
    await expect.poll(() => countText(list)).toBe('100,123')
  })
})
