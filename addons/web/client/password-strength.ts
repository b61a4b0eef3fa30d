/** Words that people choose and guessing programs try first; longer words come first, so that they are found completely. */
const COMMON =
  /password|passwort|kennwort|baseball|football|computer|princess|sunshine|superman|letmein|welcome|willkommen|iloveyou|trustno1|starwars|michael|dragon|master|monkey|shadow|hallo|hello|admin|login|secret|geheim|berlin|summer|sommer|winter|love|test|modulus/g

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'yxcvbnm',
  'zxcvbnm',
]

/** Placeholders of little value for parts that were found: a common word, and a run of keys, letters or one sign. */
const WORD = '\u{e000}'
const RUN = '\u{e001}'

const BITS_OF_WORD = 6
const BITS_OF_RUN = 4
/** A letter of a word that a person thinks of; other signs are chosen more freely. */
const BITS_OF_LETTER = 2.6
const BITS_OF_SIGN = 4.5

/** Least bits of fair, good and strong. */
const STEPS = [30, 42, 56] as const
const MIN_LENGTH = 10

/**
 * How hard a password is to guess, 0 (empty) to 4: by what remains after common words, the user's own names, runs and repetitions are
 * replaced by placeholders. Only a hint; the server decides which passwords are allowed.
 */
export function strengthOf(password: string, own: readonly string[] = []): number {
  if (password === '') return 0
  if (password.length < MIN_LENGTH) return 1
  const parts = takeTogether(password, own).match(/[a-z]{3,}|./gu) ?? []
  const bits = parts.reduce((sum, part) => sum + bitsOf(part), 0)
  return 1 + STEPS.filter((least) => bits >= least).length
}

function takeTogether(password: string, own: readonly string[]): string {
  let text = password.toLowerCase().replace(COMMON, WORD)
  for (const name of own.flatMap((each) => each.toLowerCase().split(/[^\p{L}\p{N}]+/u)))
    if (name.length > 2) text = text.replaceAll(name, WORD)
  text = text.replace(/(.+?)\1{2,}/gu, (_, part: string) => part + RUN).replace(/(?:19|20)\d\d/g, RUN)
  for (const row of ROWS) {
    for (const line of [row, [...row].reverse().join('')]) {
      for (let length = line.length; length >= 3; length--)
        for (let at = 0; at + length <= line.length; at++) text = text.replaceAll(line.slice(at, at + length), RUN)
    }
  }
  return text
}

const bitsOf = (part: string): number =>
  part === WORD
    ? BITS_OF_WORD
    : part === RUN
      ? BITS_OF_RUN
      : part.length > 1
        ? part.length * BITS_OF_LETTER
        : BITS_OF_SIGN
