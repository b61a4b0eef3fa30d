import { expect, test } from 'vitest'
import { refusePassword } from '../../kernel/admin/password-policy.ts'
import { loginKey } from '../../kernel/auth/check-password.ts'
import { cleanText } from '../../kernel/document/font/clean-text.ts'
import { fold } from '../../kernel/domain/fold.ts'
import { attachment } from '../../kernel/http/download.ts'
import { normalForm } from '../../kernel/model/normal-form.ts'
import { closenessTo } from '../../kernel/model/similar.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

/** Two marks whose order is not the normal one, again and again. */
const marks = `Fjord ${'\u0301\u0323'.repeat(10_000)}`

test.each<[string, (text: string) => unknown]>([
  ['a normal form', (text) => normalForm(text, 'NFKD')],
  ['a text to search for', fold],
  ['a login', loginKey],
  ['a password', refusePassword],
  ['a name that is compared', (text) => closenessTo(text)?.('Fjord')],
  ['a text of a document', cleanText],
  ['a file name', attachment],
])('%s with marks without end takes no longer than its length', async (_what, use) => {
  await expectCpuBelow(50, () => use(marks))
})

test('a text that people write has the normal form of Unicode', () => {
  for (const text of ['Zürich', 'e\u0323\u0301', 'ﬁ', '각', 'นี้', `a${'\u0301\u0323'.repeat(15)}`])
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) expect(normalForm(text, form)).toBe(text.normalize(form))
})
