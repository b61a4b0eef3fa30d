import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A package of half a gigabyte, which the suite does not install: `apt-get install --no-install-recommends libreoffice-calc`. */
export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0

export interface OpenedCell {
  /** `string`, `float`, `date`, `boolean`; empty for an empty cell. */
  readonly type: string
  /** The value of a number, a date or a boolean, else the text. */
  readonly value: string
}

export interface OpenedSheet {
  readonly rows: readonly (readonly OpenedCell[])[]
  /** All that it would calculate; a boolean of a workbook is `TRUE()` to it. */
  readonly formulas: readonly string[]
}

/** The first sheet of a CSV file or a workbook, as LibreOffice shows it. */
export function openInLibreOffice(file: string, folder: string): OpenedSheet {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`
  // Commas, double quotes, UTF-8, from the first line.
  const infilter = extname(file) === '.csv' ? ['--infilter=CSV:44,34,76,1'] : []
  const args = [profile, '--headless', ...infilter, '--convert-to', 'fods', '--outdir', folder, file]
  execFileSync('soffice', args, { stdio: 'ignore' })
  const text = readFileSync(join(folder, `${basename(file, extname(file))}.fods`), 'utf8')
  const [sheet = ''] = text.match(/<table:table [\s\S]*?<\/table:table>/) ?? []
  const rows = sheet.match(/<table:table-row[\s\S]*?<\/table:table-row>/g) ?? []
  return {
    rows: rows.map(cellsOf),
    formulas: [...text.matchAll(/table:formula="(?!of:=(?:TRUE|FALSE)\(\)")([^"]*)"/g)].map(([, formula]) => formula!),
  }
}

const cellsOf = (row: string): readonly OpenedCell[] =>
  [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-cell>)/g)].map(
    ([, attributes = '', content = '']) => ({
      type: /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? '',
      value:
        /office:(?:value|date-value|boolean-value)="([^"]*)"/.exec(attributes)?.[1] ??
        plain(/<text:p>([\s\S]*?)<\/text:p>/.exec(content)?.[1] ?? ''),
    }),
  )

const ENTITIES: Readonly<Record<string, string>> = {
  '&apos;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

const plain = (xml: string): string => xml.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
