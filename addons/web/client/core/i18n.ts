import { signal } from '@preact/signals'
import { type Deferred, deferred } from './deferred.tsx'

/** Translations by the English sentence. A counted sentence has one text per plural category of the language. */
export type Catalogue = Readonly<Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>>

export type Params = Readonly<Record<string, string | number>>

const language = signal('en')
const catalogue = signal<Catalogue>({})
/** Texts addons bring, by language. */
const extras = new Map<string, Catalogue[]>()

/** Languages with a catalogue, each loaded when it is needed. */
const CATALOGUES: Readonly<Record<string, Deferred<{ readonly catalogue: Catalogue }>>> = {
  de: deferred(() => import('../i18n/de.ts')),
}

export const languages: readonly string[] = ['en', ...Object.keys(CATALOGUES)]

/** The language of the texts: `de` for `de-AT`. */
export const currentLanguage = (): string => language.value

/** Switches to a language; one without a catalogue reads English. Dates and numbers follow `setLocale` of format.ts. */
export async function setLanguage(tag: string): Promise<void> {
  const name = tag.split('-')[0] ?? 'en'
  const loaded = await CATALOGUES[name]?.load()
  language.value = loaded ? name : 'en'
  catalogue.value = Object.assign({}, loaded?.catalogue, ...(extras.get(name) ?? []))
}

/** Texts of an addon; its own sentences come first where both have one. */
export function addCatalogue(name: string, texts: Catalogue): void {
  extras.set(name, [...(extras.get(name) ?? []), texts])
  if (language.peek() === name) catalogue.value = { ...catalogue.peek(), ...texts }
}

/** The sentence in the user's language, with `{name}` filled in. */
export function t(source: string, params: Params = {}): string {
  const found = catalogue.value[source]
  return fill(typeof found === 'string' ? found : source, params)
}

/** Marks a sentence of a table that `t` translates later, when the language is known: `t(label)`. */
export const msg = (source: string): string => source

/** A counted sentence: `tn(3, '{n} record', '{n} records')`. The plural form is the key of the catalogue. */
export function tn(count: number, one: string, other: string, params: Params = {}): string {
  const found = catalogue.value[other]
  const own = typeof found === 'object' ? (found[rules(language.value).select(count)] ?? found.other) : undefined
  return fill(own ?? (rules('en').select(count) === 'one' ? one : other), { n: count, ...params })
}

const known = new Map<string, Intl.PluralRules>()

function rules(name: string): Intl.PluralRules {
  const made = known.get(name) ?? new Intl.PluralRules(name)
  known.set(name, made)
  return made
}

const fill = (text: string, params: Params): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole))
