import { currentLocale, type DateStyle, formatDate } from '../../core/format.ts'
import { dayOrder, fullYear, toDay, westernDigits } from '../../core/parse.ts'

/**
 * Parses a date that contains words (`Nov 14, 2026`, `14. Nov. 2026`, `2026年11月14日`) in the user's language; null if it
 * is not a date.
 */
export function parseNamedDate(text: string, today: string): string | null {
  const trimmed = westernDigits(text).trim().toLowerCase()
  if (/[^\d\p{L}\p{M}\s.,/'-]/u.test(trimmed)) return null
  const { months, fillers } = wordsOf(currentLocale().tag)
  const words = lettersOf(trimmed).filter((word) => !fillers.has(word))
  const numbers = trimmed.match(/\d+/g) ?? []
  const [name] = words
  const month = name === undefined ? undefined : monthOf(name, months)
  if (words.length > 1 || (name !== undefined && month === undefined)) return null
  // With a month name, the number with more than two digits is the year, in any position.
  const named = (numbers[0]?.length ?? 0) > 2 ? (['year', 'day'] as const) : (['day', 'year'] as const)
  const wanted = month === undefined ? dayOrder() : named
  const parts = numbers.length === wanted.length ? wanted : wanted.filter((part) => part !== 'year')
  if (numbers.length !== parts.length) return null
  const found = Object.fromEntries(parts.map((part, index) => [part, Number(numbers[index])]))
  return toDay(fullYear(found['year'], today), month ?? found['month'] ?? 0, found['day'] ?? 0)
}

interface DateWords {
  /** Short and long month names, as they occur in dates. */
  readonly months: ReadonlyMap<string, number>
  /** Words between the parts: `de`, `年`. */
  readonly fillers: ReadonlySet<string>
}

const known = new Map<string, DateWords>()
const NAMED: readonly DateStyle[] = ['medium', 'long']
const lettersOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}]+/gu) ?? []

function wordsOf(tag: string): DateWords {
  const made = known.get(tag)
  if (made) return made
  const days = Array.from({ length: 12 }, (_, index) => `2099-${String(index + 1).padStart(2, '0')}-04`)
  const texts = NAMED.map((style) => days.map((day) => lettersOf(westernDigits(formatDate(day, style)).toLowerCase())))
  // A word that occurs in every month is a filler; the remaining one is the name.
  const fillers = new Set(
    texts.flatMap(([first = [], ...others]) => first.filter((word) => others.every((each) => each.includes(word)))),
  )
  const months = new Map(
    texts.flatMap((each) =>
      each.flatMap((words, index) =>
        words.filter((word) => !fillers.has(word)).map((word) => [word, index + 1] as const),
      ),
    ),
  )
  const words: DateWords = { months, fillers }
  known.set(tag, words)
  return words
}

/** The month with this name, or with this unique prefix of at least three letters. */
function monthOf(word: string, months: DateWords['months']): number | undefined {
  const exact = months.get(word)
  if (exact !== undefined || word.length < 3) return exact
  const found = new Set([...months].flatMap(([name, month]) => (name.startsWith(word) ? [month] : [])))
  return found.size === 1 ? [...found][0] : undefined
}
