import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { setLocale } from '../../addons/web/client/core/format.ts'
import { addCatalogue, setLanguage, t, tn } from '../../addons/web/client/core/i18n.ts'
import { catalogue } from '../../addons/web/client/i18n/de.ts'
import { formatShort } from '../../addons/web/client/views/shared/analysis/measures.ts'

afterEach(() => setLanguage('en'))

const addons = join(import.meta.dirname, '../../addons')
const sources = readdirSync(addons, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[^/]+\/client\/.*\.tsx?$/.test(path) && !path.includes('/i18n/'))
  .map((path) => readFileSync(join(addons, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''))

const PLAIN = [/\b(?:t|msg)\(\s*'([^'\n]*)'/g, /\b(?:t|msg)\(\s*"([^"\n]*)"/g, /\b(?:t|msg)\(\s*`([^`$\n]*)`/g]
// The plural form is the key.
const COUNTED = [/\btn\([^'"]*'[^'\n]*',\s*'([^'\n]*)'/g]

const said = (calls: readonly RegExp[]) =>
  new Set(sources.flatMap((text) => calls.flatMap((call) => [...text.matchAll(call)].map((match) => match[1]!))))
const plain = said(PLAIN)
const counted = said(COUNTED)
const used = new Set([...plain, ...counted])
const holesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted()

describe('the German catalogue', () => {
  test('has every sentence of the sources', () => {
    expect([...used].filter((sentence) => !Object.hasOwn(catalogue, sentence)).toSorted()).toEqual([])
  })

  test('has no unused sentence', () => {
    expect(Object.keys(catalogue).filter((sentence) => !used.has(sentence))).toEqual([])
  })

  test('has each sentence in one file, with one text for a plain one and several for a counted one', () => {
    const files = join(addons, 'web/client/i18n/de')
    const keys = readdirSync(files).flatMap((name) =>
      [...readFileSync(join(files, name), 'utf8').matchAll(/^ {2}(?:'([^'\n]*)'|"([^"\n]*)"|(\w+)):/gm)].map(
        ([, quoted, doubly, bare]) => quoted ?? doubly ?? bare!,
      ),
    )
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    expect(keys.length).toBe(Object.keys(catalogue).length)
    const isText = (sentence: string) => typeof catalogue[sentence] === 'string'
    expect([...plain].filter((sentence) => !isText(sentence))).toEqual([])
    expect([...counted].filter(isText)).toEqual([])
  })

  test('fills in the same values', () => {
    const wrong = Object.entries(catalogue).filter(([source, found]) =>
      [found]
        .flatMap((each) => (typeof each === 'string' ? each : Object.values(each)))
        .some((text) => {
          const holes = holesOf(text)
          return typeof found === 'string'
            ? holes.join() !== holesOf(source).join()
            : holes.some((hole) => !holesOf(source).includes(hole))
        }),
    )
    expect(wrong).toEqual([])
  })
})

describe('sentences', () => {
  test('are English until another language is chosen, and with one that is unknown', async () => {
    expect(t('Try again')).toBe('Try again')
    await setLanguage('de-AT')
    expect(t('Try again')).toBe('Erneut versuchen')
    await setLanguage('xx')
    expect(t('Try again')).toBe('Try again')
  })

  test('are filled in once; what a value contains stays as it is', () => {
    expect(t('of {total}', { total: '{total}' })).toBe('of {total}')
    expect(t('no {hole}')).toBe('no {hole}')
  })

  test('are counted by the rules of the language', async () => {
    expect([tn(1, '{n} row', '{n} rows'), tn(0, '{n} row', '{n} rows')]).toEqual(['1 row', '0 rows'])
    addCatalogue('de', { '{n} rows': { one: '{n} Zeile', other: '{n} Zeilen' } })
    await setLanguage('de')
    expect([tn(1, '{n} row', '{n} rows'), tn(3, '{n} row', '{n} rows')]).toEqual(['1 Zeile', '3 Zeilen'])
  })
})

test('figures of legends are as short in German as in English', async () => {
  const written = async (language: string) => {
    setLocale(language, 'UTC')
    await setLanguage(language)
    return [42_381.4, -139_884.5, 1_234.5, 999.5, 950, 2_500_000].map((value) =>
      formatShort(value).replace('\u00a0', ' '),
    )
  }
  expect(await written('de')).toEqual(['42,4 Tsd.', '-139,9 Tsd.', '1,2 Tsd.', '999,5', '950', '2,5 Mio.'])
  expect(await written('en')).toEqual(['42.4K', '-139.9K', '1.2K', '999.5', '950', '2.5M'])
})
