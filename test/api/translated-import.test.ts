import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'

type Row = Readonly<Record<string, unknown>>

describeHost('a file with texts in several languages', 'process', (host: Host) => {
  let anna: Agent
  let bert: Agent

  beforeAll(async () => {
    const groups = ['base.group_system', 'library.group_librarian']
    await host.modules.asSystem(async (env) => {
      await env.model('core.user').write([await hire(host.modules, 'anna', groups)], { lang: 'de' })
    })
    await hire(host.modules, 'bert', groups)
    anna = await host.signIn('anna')
    bert = await host.signIn('bert')
  })

  const create = (name: string, german: string | null) =>
    bert.must<number>('library.shelf', 'create', [{ name, 'name@de': german }])
  const textsOf = async (id: number) => {
    const [row] = await bert.must<Row[]>('library.shelf', 'read', [[id], ['name', 'name@de']])
    return [row!['name'], row!['name@de']]
  }
  const download = async (agent: Agent, fields: string, id: number) => {
    const domain = JSON.stringify([['id', '=', id]])
    return (
      await agent.get(`/web/export/csv?${new URLSearchParams({ model: 'library.shelf', fields, domain })}`)
    ).text()
  }
  const upload = (agent: Agent, file: string) => stage(agent, file, { model: 'library.shelf', import_mode: 'upsert' })
  const dryRun = async (agent: Agent, file: string) => {
    const { id } = await upload(agent, file)
    await agent.must('sys.bulk.import', 'call', [id, 'action_dry_run'])
    return (await readBatch(agent, id)).preview as Row
  }

  test.each(['.id,name,name@de', '.id,name', '.id,name@de', '.id,name@de,name'])(
    'that comes back as it left, with %s, changes nothing, whoever brings it',
    async (fields) => {
      for (const german of ['Häfen', null]) {
        const id = await create('Harbours', german)
        for (const agent of [anna, bert]) {
          const file = await download(agent, fields, id)
          expect(await dryRun(agent, file)).toMatchObject({ unchanged: 1, update: 0 })
          await confirm(agent, (await upload(agent, file)).id)
        }
        expect(await textsOf(id)).toEqual(['Harbours', german])
      }
    },
  )

  test('changes the language of each column, and undone, each is as before', async () => {
    for (const agent of [anna, bert])
      for (const [file, after] of [
        ['name,name@de\r\nPorts,Häfen', ['Ports', 'Häfen']],
        ['name,name@de\r\nHarbours,Hafen', ['Harbours', 'Hafen']],
        ['name,name@de\r\nPorts,Hafen', ['Ports', 'Hafen']],
        ['name\r\nPorts', agent === anna ? ['Harbours', 'Ports'] : ['Ports', 'Häfen']],
      ] as const) {
        const id = await create('Harbours', 'Häfen')
        const [header, line] = file.split('\r\n')
        const { id: batch } = await upload(agent, `.id,${header}\r\n${id},${line}\r\n`)
        await confirm(agent, batch)
        expect([agent === anna, file, await textsOf(id)]).toEqual([agent === anna, file, after])
        await agent.must('sys.bulk.import', 'call', [batch, 'action_undo_import'])
        expect([file, await textsOf(id)]).toEqual([file, ['Harbours', 'Häfen']])
      }
  })

  test('undone, a text that had no translation has none again', async () => {
    const id = await create('Harbours', null)
    const { id: batch } = await upload(anna, `.id,name\r\n${id},Häfen\r\n`)
    await confirm(anna, batch)
    expect(await textsOf(id)).toEqual(['Harbours', 'Häfen'])
    await anna.must('sys.bulk.import', 'call', [batch, 'action_undo_import'])
    expect(await textsOf(id)).toEqual(['Harbours', null])
  })

  test('shows in a dry run what the text of each column was', async () => {
    const id = await create('Harbours', 'Häfen')
    const { rows } = await dryRun(anna, `.id,name,name@de\r\n${id},Ports,Häfen\r\n`)
    expect(rows).toMatchObject([{ changes: [{ column: 'name', old: 'Harbours', new: 'Ports' }] }])
  })

  test('finds records by the English name where the file has the other language beside it', async () => {
    await create('Wharves', 'Kais')
    for (const agent of [anna, bert]) {
      expect(await dryRun(agent, 'name,name@de\r\nWharves,Kais\r\n')).toMatchObject({ unchanged: 1, create: 0 })
    }
    expect(await dryRun(anna, 'name\r\nKais\r\n')).toMatchObject({ unchanged: 1, create: 0 })
  })
})
