import { normalForm } from '../model/normal-form.ts'

/** Letters that Unicode does not decompose but people search for by their plain form; `svc_fold` has the same table. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...pairs('ß ẞ', 'ss'),
  ...pairs('æ Æ', 'ae'),
  ...pairs('œ Œ', 'oe'),
  ...pairs('þ Þ', 'th'),
  ...pairs('ø Ø', 'o'),
  ...pairs('ł Ł', 'l'),
  ...pairs('đ Đ ð Ð', 'd'),
  ...pairs('ħ Ħ', 'h'),
  ...pairs('ı', 'i'),
  ...pairs('ŋ Ŋ', 'n'),
  ...pairs('ŧ Ŧ', 't'),
  ...pairs('Σ ς', 'σ'),
  ...pairs('‘ ’', "'"),
  ...pairs('“ ”', '"'),
  ...pairs('‐ – —', '-'),
])

function pairs(letters: string, plain: string): [string, string][] {
  return letters.split(' ').map((letter) => [letter, plain])
}

const ASCII = /^[\0-\x7f]*$/
const MARKS = /[\u0300-\u036f]+/g
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

/** Text as `ilike` compares it, without case and accents: exactly what the SQL function `svc_fold` does. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const decomposed = normalForm(text, 'NFKD').replace(MARKS, '')
  return decomposed.replace(SPECIAL, (letter) => PLAIN.get(letter) ?? letter).toLowerCase()
}
