import { afterAll, beforeAll, test } from 'vitest'
import { TEXT_CHARS } from '../../kernel/limits.ts'
import { expectTurnsBelow } from '../support/cpu-time.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
beforeAll(async () => {
  people = await openPeople(['contacts'])
})
afterAll(() => people.leave())

test('other requests get their turn while many long rich texts are checked', async () => {
  const note = '<td>'.repeat(TEXT_CHARS / 4)
  const partners = Array.from({ length: 40 }, (_, n) => ({ name: `Long ${n}`, note }))
  await expectTurnsBelow(150, () => people.as('admin', (env) => env.model('core.partner').createMany(partners)))
})
