import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOT_ON_WORKERD, OF_NO_HOST } from '../support/not-on-workerd.ts'

const folder = join(import.meta.dirname, '../api')
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))

/** How a title begins: `%s` and the like stand for values. */
const isTitled = (source: string, part: string) => source.includes(`'${part}`)

test.each(Object.keys({ ...NOT_ON_WORKERD, ...OF_NO_HOST }))('what does not run on workerd is there: %s', (entry) => {
  const parts = entry.split(' > ')
  expect(sources.some((source) => parts.every((part) => isTitled(source, part)))).toBe(true)
})
