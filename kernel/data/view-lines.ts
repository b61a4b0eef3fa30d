import type { Element } from '@xmldom/xmldom'
import type { TextFile } from './source.ts'
import { markupOf } from './xml.ts'
import { childElements, nodeLine, parseXml } from './xml-document.ts'
import { fullXmlid, type Xmlid } from './xmlid.ts'

/** Where a view is defined. */
export interface ViewPlace {
  readonly file: string
  /** The line of the file for a line of the stored definition. */
  readonly lineOf: (line: number) => number
}

/** The places of the views of an addon in its files, by external id. Files that cannot be read have none. */
export function viewPlaces(module: string, files: readonly TextFile[]): ReadonlyMap<Xmlid, ViewPlace> {
  const places = new Map<Xmlid, ViewPlace>()
  for (const { name: file, text } of files) {
    const parsed = file.endsWith('.xml') && text.includes('view') ? parseXml(text) : { problems: [] }
    if ('problems' in parsed) continue
    for (const [id, holder] of definitionsIn(parsed.root)) {
      const xmlid = fullXmlid(module, id)
      if (xmlid !== null) places.set(xmlid, { file, lineOf: lineFinder(holder) })
    }
  }
  return places
}

/** The element around each definition: `<view>`, or the field of a record. */
const definitionsIn = (data: Element): readonly (readonly [id: string, holder: Element])[] =>
  childElements(data).flatMap((element) => {
    if (element.tagName === 'data') return definitionsIn(element)
    const isRecord = element.tagName === 'record' && element.getAttribute('model') === 'sys.view'
    const holder = isRecord
      ? childElements(element).find((field) => field.getAttribute('name') === 'arch')
      : element.tagName === 'view'
        ? element
        : undefined
    return holder === undefined ? [] : [[element.getAttribute('id') ?? '', holder] as const]
  })

/** The stored text has the same elements in the same order, but may break lines elsewhere. */
function lineFinder(holder: Element): (line: number) => number {
  const stored = parseXml(`<data>${markupOf(holder)}</data>`)
  const lines = new Map<number, number>()
  if ('root' in stored) {
    const inFile = [...elementsIn(holder)]
    for (const [index, element] of [...elementsIn(stored.root)].entries()) {
      const line = nodeLine(element)
      if (!lines.has(line) && inFile[index]) lines.set(line, nodeLine(inFile[index]))
    }
  }
  return (line) => lines.get(line) ?? nodeLine(holder) + line - 1
}

function* elementsIn(parent: Element): Generator<Element> {
  for (const child of childElements(parent)) {
    yield child
    yield* elementsIn(child)
  }
}
