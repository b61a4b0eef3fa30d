import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directionOf } from '../../kernel/i18n/language.ts'
import { languageOf, pageTranslator } from '../../kernel/i18n/page-words.ts'
import { PAGE_WORDS_DE } from '../../kernel/i18n/page-words-de.ts'
import { localeFor } from '../../kernel/page/layout.ts'
import type { Services } from '../../kernel/services.ts'

/** Everything a page may say: its own sentences, and those of errors that end on one. */

const FOLDERS = ['handlers', 'handlers/web', 'handlers/page', 'kernel/auth', 'kernel/http', 'kernel/page']
const FILES = [
  ...FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
  ...[
    'kernel/errors.ts',
    'kernel/serve/serve.ts',
    'kernel/serve/limit.ts',
    'kernel/shell/shell-page.ts',
    'kernel/sql/pg-error.ts',
    'kernel/module/setup.ts',
    'kernel/module/initialise.ts',
  ],
  ...['runtime/node/crypto/passwords.ts', 'handlers/router.ts'],
].filter((path) => path.endsWith('.ts'))

const SENTENCE = "'((?:[^'\\\\]|\\\\.)+)'"

const SPOKEN = [
  `(?<![.\\w])t\\(\\s*${SENTENCE}`,
  `translatorFor\\(\\w+\\)\\(\\s*${SENTENCE}`,
  `(?:accessDenied|notFound|unavailable|badRequest|conflict)\\(\\s*'[\\w.]+',\\s*${SENTENCE}`,
  `refusal\\(\\s*'[A-Z_]+',\\s*'[\\w.]+',\\s*${SENTENCE}`,
  `(?:invalid|problems)\\b[^\\n]*?\\w+: ${SENTENCE}`,
].map((pattern) => new RegExp(pattern, 'g'))

test('German says every sentence of the pages and of the errors they show', () => {
  const sentences = FILES.flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    return SPOKEN.flatMap((pattern) => [...source.matchAll(pattern)].map(([, sentence]) => sentence!))
  })
  expect(sentences.length).toBeGreaterThan(100)
  expect([...new Set(sentences)].filter((sentence) => !Object.hasOwn(PAGE_WORDS_DE, sentence))).toEqual([])
})

test('a sentence keeps its places for values in every language', () => {
  const placesOf = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort()
  for (const [english, german] of Object.entries(PAGE_WORDS_DE))
    expect([english, placesOf(german)]).toEqual([english, placesOf(english)])
})

test.each([
  [null, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9', 'de'],
  ['fr, de;q=0.5, en;q=0.7', 'en'],
  ['en;q=0, de;q=0.1', 'de'],
  ['xx-nonsense;q=x', 'en'],
])('for Accept-Language %j a page is in %s', (header, expected) => {
  expect(languageOf(header)).toBe(expected)
})

test('a sentence without translation stays English, with its values filled in', () => {
  expect(pageTranslator('fr')('Hello {name},', { name: 'Ann' })).toBe('Hello Ann,')
  expect(pageTranslator('de')('Hello {name},', { name: 'Ann' })).toBe('Hallo Ann,')
})

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['pa-Arab', 'rtl'],
  ['ar-Latn', 'ltr'],
  ['de', 'ltr'],
  ['arn', 'ltr'],
])('a page in %s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction)
})

test('a page writes dates as in the region of the browser, whatever that says of itself', () => {
  const localeOf = (lang: string, header: string) =>
    localeFor({
      services: {} as Services,
      request: new Request('http://test.invalid/', { headers: { 'accept-language': header } }),
      caller: { user: { lang } },
    })
  expect([
    localeOf('en', 'en-GB,en;q=0.9'),
    localeOf('en', 'de-DE,de;q=0.9,en;q=0.5'),
    localeOf('de', 'en-US,de-AT;q=0.5'),
    localeOf('de', 'en-US'),
    localeOf('en', 'x-..'),
    localeOf('en', ''),
  ]).toEqual(['en-GB', 'en-DE', 'de-AT', 'de', 'en', 'en'])
})
