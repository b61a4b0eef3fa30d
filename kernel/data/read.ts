import { readCsv } from './csv.ts'
import type { ReadFile, TextFile } from './source.ts'
import { readXml } from './xml.ts'

type Reader = (module: string, file: TextFile) => ReadFile

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['csv', readCsv],
  ['xml', readXml],
])

/** Records of all data files of a module, in order, and every mistake in them. */
export function readFiles(module: string, files: readonly TextFile[]): ReadFile {
  const read = files.map((file): ReadFile => {
    const reader = READERS.get(file.name.split('.').at(-1) ?? '')
    if (reader) return reader(module, file)
    return { records: [], problems: [{ file: file.name, line: 1, reason: 'Data files end in .csv or .xml.' }] }
  })
  return { records: read.flatMap((file) => file.records), problems: read.flatMap((file) => file.problems) }
}
