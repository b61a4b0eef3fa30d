import { expect, test } from 'vitest'
import { compileRegistry, RegistryError } from '../../kernel/model/compile-registry.ts'
import type { ViewKind } from '../../kernel/model/view-kind.ts'
import { installModules } from '../../kernel/module/install.ts'
import { describeHost } from '../support/hosts.ts'
import { openWorkspace, refuseWorkspace } from '../support/workspace.ts'

const KIND: ViewKind = { name: 'ranking', label: 'Ranking', elements: ['field'], content: 'records' }

/** What is wrong with the kinds that addons bring. */
function problemsOf(...addons: readonly (readonly ViewKind[])[]): readonly string[] {
  try {
    compileRegistry(addons.map((viewKinds, at) => ({ name: `addon_${at}`, models: [], behaviors: [], viewKinds })))
    return []
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return error.problems
  }
}

test('a kind of view that two addons bring, or the program has, is refused at the start', () => {
  expect(problemsOf([KIND])).toEqual([])
  expect(problemsOf([KIND], [KIND])).toEqual(['addon_1: there is a view kind ranking already'])
  expect(problemsOf([{ ...KIND, name: 'list' }])).toEqual(['addon_0: there is a view kind list already'])
})

test.each([
  ['a name that no address can have', { name: 'Top 10' }, 'is no name of a view kind'],
  ['no label', { label: ' ' }, 'needs a label'],
  ['unknown content', { content: 'everything' }, "needs content: 'records' or 'count'"],
  ['no elements', { elements: undefined }, 'needs the elements it may hold'],
])('a kind of view with %s is refused at the start', (_what, part, problem) => {
  // Addons written in JavaScript have no type checker.
  expect(problemsOf([{ ...KIND, ...part } as unknown as ViewKind])).toEqual([expect.stringContaining(problem)])
})

describeHost('a kind of view that an addon brings', 'process', (host) => {
  test('is unknown before, then served with its records, offered as a tab and checked', async () => {
    const before = await host.signIn('admin')
    expect(await refuseWorkspace(before, { model: 'library.book', view_type: 'ranking' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('Must be one of list, form'),
    })
    await installModules(host.modules.services, host.modules.catalogue, ['library_extra'], { demo: false })
    const admin = await host.signIn('admin')
    const [book] = await admin.must<{ id: number }[]>('library.book', 'search_read', [[], ['id']], { limit: 1 })
    await admin.must('library.review', 'create', [{ book_id: book!.id, rating: 4 }])
    const shown = await openWorkspace(admin, { model: 'library.review', view_type: 'ranking' })
    expect(shown).toMatchObject({
      viewType: 'ranking',
      arch: { type: 'ranking', root: { tag: 'ranking', attrs: { score: 'rating' } } },
      records: [{ rating: 4 }],
    })
    expect(shown.viewTabs.map(({ mode, label }) => [mode, label])).toContainEqual(['ranking', 'Ranking'])

    const view = (arch: string) =>
      admin.rpc('sys.view', 'create', [{ name: 'R', model: 'library.review', type: 'ranking', arch }])
    expect(await view('<ranking score="rating"><field name="user_id"/></ranking>')).toMatchObject({ ok: true })
    for (const [arch, problem] of [
      ['<ranking><field name="user_id"/></ranking>', '<ranking> needs score.'],
      ['<ranking score="nothing"/>', 'nothing'],
      ['<ranking score="rating"><button name="x"/></ranking>', 'has no element <button>'],
      ['<list><field name="user_id"/></list>', 'The root of a ranking view is <ranking>'],
    ] as const) {
      expect(await view(arch)).toMatchObject({
        error: { code: 'VALIDATION', details: { fields: { arch: expect.stringContaining(problem) } } },
      })
    }
    const tile = { name: 'Best', view_type: 'ranking', model: 'library.review' }
    expect(await admin.rpc('sys.dashboard', 'create', [{ name: 'D', tile_ids: [[0, 0, tile]] }])).toMatchObject({
      ok: true,
    })
  })
})
