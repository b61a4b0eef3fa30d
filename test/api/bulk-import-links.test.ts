import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { confirm, stage } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('an import of rows that name each other', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const confirmed = (created: number, updated: number, skipped: number) => ({
    ok: true,
    result: { redirect: expect.stringContaining(`msg=imported_${created}_updated_${updated}_skipped_${skipped}`) },
  })
  const rows = (...names: readonly (readonly [string, string])[]) =>
    `name,parent\n${names.map((row) => row.join(',')).join('\n')}\n`
  const creating = { name: 'name', parent: { field: 'parent_id', policy: 'create' } }
  const links = async (like: string) =>
    (
      await admin.must<Row[]>('core.partner', 'search_read', [[['name', '=like', like]], ['name', 'parent_id']], {
        order: 'name',
      })
    ).map(({ name, parent_id }) => [name, (parent_id as [number, string] | null)?.[1] ?? ''])

  test('a circle is refused with what hangs on it, and nothing is created for its names', async () => {
    const { id } = await stage(
      admin,
      rows(['Ring 1', 'Ring 2'], ['Ring 2', 'Ring 1'], ['Ring 3', 'Ring 1'], ['Ring 4', ''], ['Ring 5', 'Ring 5']),
    )
    expect((await confirm(admin, id, creating)).error?.details).toMatchObject({ count: 4 })
    expect(await confirm(admin, id, creating, { skip_invalid: '1' })).toMatchObject(confirmed(1, 0, 4))
    expect(await links('Ring %')).toEqual([['Ring 4', '']])
  })

  test('each of a circle that may be is created once, and linked then', async () => {
    const file = 'id,name,implied\nring_1,Round 1,ring_2\nring_2,Round 2,"ring_1,ring_3"\nring_3,Round 3,\n'
    const { id } = await stage(admin, file, { model: 'core.group' })
    const mapping = { id: 'id', name: 'name', implied: 'implied_ids/id' }
    expect(await confirm(admin, id, mapping)).toMatchObject(confirmed(3, 0, 0))
    const groups = await admin.must<Row[]>('core.group', 'search_read', [
      [['name', '=like', 'Round %']],
      ['name', 'implied_ids'],
    ])
    const nameOf = new Map(groups.map((row) => [row['id'], row['name']]))
    expect(
      groups.map((row) => [row['name'], (row['implied_ids'] as number[]).map((each) => nameOf.get(each)).sort()]),
    ).toEqual([
      ['Round 1', ['Round 2']],
      ['Round 2', ['Round 1', 'Round 3']],
      ['Round 3', []],
    ])
  })

  test('nothing is created for the name of a row that is refused', async () => {
    const { id } = await stage(admin, 'name,parent,company\nRefused 1,Refused 2,\nRefused 2,,perhaps\n')
    const answer = await confirm(admin, id, { ...creating, company: 'is_company' })
    expect(answer.error?.details).toMatchObject({
      rows: [
        { row: 2, column: 'parent', message: 'There is no record "Refused 2".' },
        { row: 3, column: 'company' },
      ],
    })
  })

  test('a chain of hundreds is linked row by row', async () => {
    const name = (n: number) => `Chain ${String(n).padStart(3, '0')}`
    const chain = Array.from({ length: 200 }, (_, n) => [name(n), n < 199 ? name(n + 1) : ''] as const)
    const { id } = await stage(admin, rows(...chain))
    expect(await confirm(admin, id, creating)).toMatchObject(confirmed(200, 0, 0))
    expect(await links('Chain %')).toEqual(chain)
  })
})
