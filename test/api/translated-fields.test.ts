import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { confirm, readBatch, stage } from '../support/upload.ts'
import { openWorkspace } from '../support/workspace.ts'

describeHost('a text with a value in each language', 'process', (host: Host) => {
  let anna: Agent
  let bert: Agent
  let shelf: number

  beforeAll(async () => {
    const groups = ['base.group_system', 'library.group_librarian']
    await host.modules.asSystem(async (env) => {
      await env.model('core.user').write([await hire(host.modules, 'anna', groups)], { lang: 'de-AT' })
    })
    await hire(host.modules, 'bert', groups)
    anna = await host.signIn('anna')
    bert = await host.signIn('bert')
    shelf = await bert.must('library.shelf', 'create', [{ name: 'Harbours', 'name@de': 'Häfen' }])
  })

  const read = (agent: Agent, fields: readonly string[], kwargs = {}) =>
    agent.must<Record<string, unknown>[]>('library.shelf', 'read', [[shelf], fields], kwargs)

  test('is answered in the language of the caller, or of the call, and in each by its name', async () => {
    expect(await read(bert, ['name', 'name@de'])).toEqual([{ id: shelf, name: 'Harbours', 'name@de': 'Häfen' }])
    expect(await read(anna, ['name', 'display_name'])).toEqual([{ id: shelf, name: 'Häfen', display_name: 'Häfen' }])
    expect(await read(bert, ['name'], { lang: 'de' })).toEqual([{ id: shelf, name: 'Häfen' }])
    expect(await read(anna, ['name'], { lang: 'en' })).toEqual([{ id: shelf, name: 'Harbours' }])
    const [all] = await anna.must<Record<string, unknown>[]>('library.shelf', 'read', [[shelf]])
    expect(Object.keys(all!)).not.toContain('name@de')
  })

  test('is paged by its order in the language of the caller', async () => {
    const names = ['Äpfel', 'Birnen', 'Zitronen']
    for (const name of names) await anna.must('library.shelf', 'create', [{ name, sequence: 77 }])
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const page = await anna.send({
        model: 'library.shelf',
        method: 'search_read',
        args: [[['sequence', '=', 77]], ['name']],
        kwargs: { limit: 1, order: 'name', ...(cursor !== null && { cursor }) },
      })
      seen.push(...(page.result as { name: string }[]).map(({ name }) => name))
      cursor = page.headers.get('x-next-cursor')
    } while (cursor !== null)
    expect(seen).toEqual(names)
  })

  test('is offered to forms with its languages', async () => {
    const query = { model: 'library.shelf', view_type: 'form', id: 0 }
    const { arch } = await openWorkspace(anna, query)
    const { fields } = arch!
    expect(fields.find(({ name }) => name === 'name')).toMatchObject({ languages: ['de'] })
    expect(fields.map(({ name }) => name)).not.toContain('name@de')
  })

  test('leaves and comes back in files, each language in a column', async () => {
    const download = async (agent: Agent, fields: string) => {
      const domain = JSON.stringify([['id', '=', shelf]])
      const answer = await agent.get(
        `/web/export/csv?${new URLSearchParams({ model: 'library.shelf', fields, domain })}`,
      )
      return answer.text()
    }
    // If another column names a language, the plain column has the English text, so that an import of the file changes nothing.
    for (const agent of [anna, bert])
      expect(await download(agent, 'name,name@de')).toBe('name,name@de\r\nHarbours,Häfen\r\n')
    expect(await download(anna, 'name')).toBe('name\r\nHäfen\r\n')
    const { id } = await stage(bert, 'name,name@de\r\nRivers,Flüsse\r\n', { model: 'library.shelf' })
    await confirm(bert, id)
    expect((await readBatch(bert, id)).state).toBe('done')
    const found = await bert.must('library.shelf', 'search_read', [[['name@de', '=', 'Flüsse']], ['name']])
    expect(found).toEqual([{ id: expect.any(Number), name: 'Rivers' }])
  })

  test('is found by its name in any language when a file links to it, first in that of the caller', async () => {
    await bert.must('core.country', 'create', [{ name: 'Deutschland', 'name@de': 'Anderswo', code: 'QQ' }])
    const file = 'name,country_id\r\nLink 1,Deutschland\r\nLink 2,Germany\r\nLink 3,Anderswo\r\n'
    const { id } = await stage(anna, file)
    await confirm(anna, id)
    const found = [['name', '=like', 'Link %']]
    const linked = await bert.must('core.partner', 'search_read', [found, ['country_id']], { order: 'name' })
    const names = ['Germany', 'Germany', 'Deutschland']
    expect(linked).toMatchObject(names.map((name) => ({ country_id: [expect.any(Number), name] })))
  })

  test('is suggested for a name that is like its own in any language', async () => {
    const { id } = await stage(bert, 'name,country_id\r\nLike 1,Frankreichh\r\n')
    const vals = { column_mapping: JSON.stringify({ name: 'name', country_id: 'country_id' }) }
    await bert.must('sys.bulk.import', 'call', [id, 'action_dry_run', vals])
    const { preview } = await readBatch(bert, id)
    expect(preview).toMatchObject({
      values: [{ value: 'Frankreichh', choices: [[expect.any(Number), 'Frankreich']], suggested: expect.any(Number) }],
    })
  })

  test('refuses a language that there is not', async () => {
    const { error } = await bert.rpc('library.shelf', 'write', [[shelf], { 'name@xx': 'Ports' }])
    expect(error).toMatchObject({ code: 'VALIDATION' })
  })
})
