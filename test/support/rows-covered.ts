import { readFileSync } from 'node:fs'

/** Rows of a table of threats (`A1` …) without a test in this file whose name begins with the row. */
export function rowsWithoutTest(
  file: string,
  letter: string,
  count: number,
  elsewhere: Readonly<Record<string, string>> = {},
): string[] {
  const named = (path: string, row: string) => new RegExp(`['"\`]${row}: `).test(readFileSync(path, 'utf8'))
  return Array.from({ length: count }, (_, i) => `${letter}${i + 1}`).filter(
    (row) => !named(elsewhere[row] ?? file, row),
  )
}
