import { type Element, XMLSerializer } from '@xmldom/xmldom'
import type { DataProblem } from './problem.ts'
import type { ReadFile, SourceField, SourceRecord, SourceValue, TextFile } from './source.ts'
import { childElements, nodeLine, parseXml } from './xml-document.ts'
import { fullXmlid } from './xmlid.ts'

/** A short tag for records of one model: its attributes, and possibly its body, are fields, some under a shorter name. */
interface ShortTag {
  readonly model: string
  readonly attributes: Readonly<Record<string, string>>
  readonly body?: { readonly field: string; readonly markup: boolean }
}

const SHORT_TAGS: ReadonlyMap<string, ShortTag> = new Map([
  [
    'rule',
    {
      model: 'sys.rule',
      attributes: {
        groups: 'group_ids',
        read: 'perm_read',
        write: 'perm_write',
        create: 'perm_create',
        unlink: 'perm_unlink',
      },
      body: { field: 'domain', markup: false },
    },
  ],
  ['menu', { model: 'sys.menu', attributes: { parent: 'parent_id', action: 'action_id', groups: 'group_ids' } }],
  ['action', { model: 'sys.action', attributes: { groups: 'group_ids' }, body: { field: 'help', markup: false } }],
  ['view', { model: 'sys.view', attributes: { inherit: 'inherit_id' }, body: { field: 'arch', markup: true } }],
])

interface Reading {
  readonly module: string
  readonly file: string
  readonly records: SourceRecord[]
  readonly problems: DataProblem[]
}

/** Records of an XML data file: `<data noupdate="1">` around `<record>` and the short tags. */
export function readXml(module: string, { name: file, text }: TextFile): ReadFile {
  const parsed = parseXml(text)
  if ('problems' in parsed) return { records: [], problems: parsed.problems.map((problem) => ({ file, ...problem })) }
  const reading: Reading = { module, file, records: [], problems: [] }
  if (parsed.root.tagName !== 'data') report(reading, parsed.root, 'The root element must be <data>.')
  else readData(reading, parsed.root, false)
  return reading
}

function report({ file, problems }: Reading, element: Element, reason: string): void {
  problems.push({ file, line: nodeLine(element), reason })
}

function readData(reading: Reading, data: Element, outer: boolean): void {
  const noupdate = data.hasAttribute('noupdate') ? data.getAttribute('noupdate') === '1' : outer
  for (const element of childElements(data)) {
    const short = SHORT_TAGS.get(element.tagName)
    if (element.tagName === 'data') readData(reading, element, noupdate)
    else if (element.tagName === 'record') readRecord(reading, element, noupdate)
    else if (short) readShort(reading, element, short, noupdate)
    else report(reading, element, `Unknown element <${element.tagName}>.`)
  }
}

function readRecord(reading: Reading, element: Element, noupdate: boolean): void {
  const model = element.getAttribute('model') ?? ''
  if (model === '') report(reading, element, '<record> needs a model.')
  const fields = new Map<string, SourceField>()
  for (const child of childElements(element)) {
    const name = child.getAttribute('name')
    if (child.tagName !== 'field' || !name) report(reading, child, 'A record holds <field name="…"> only.')
    else if (fields.has(name)) report(reading, child, `Field ${name} is given twice.`)
    else {
      const value = readField(reading, child)
      if (value) fields.set(name, { line: nodeLine(child), value })
    }
  }
  if (model !== '') addRecord(reading, element, { model, noupdate, fields })
}

/** `ref` is an external id or a list of them, `eval` is JSON, `type="xml"` takes the elements inside as text. */
function readField(reading: Reading, element: Element): SourceValue | null {
  const ref = element.getAttribute('ref')
  if (ref !== null) return readRefs(reading, element, ref)
  const json = element.getAttribute('eval')
  if (json === null) {
    const text = element.getAttribute('type') === 'xml' ? markupOf(element) : (element.textContent ?? '').trim()
    return { kind: 'text', text }
  }
  try {
    return { kind: 'json', value: JSON.parse(json) }
  } catch {
    report(reading, element, `eval of ${element.getAttribute('name')} is not JSON.`)
    return null
  }
}

function readRefs(reading: Reading, element: Element, text: string): SourceValue {
  const names = text.split(',').map((name) => fullXmlid(reading.module, name))
  if (names.includes(null)) report(reading, element, `"${text}" is not an external id.`)
  return { kind: 'refs', xmlids: names.filter((name) => name !== null) }
}

function readShort(reading: Reading, element: Element, short: ShortTag, noupdate: boolean): void {
  const fields = new Map<string, SourceField>()
  const line = nodeLine(element)
  for (const { name, value } of Array.from(element.attributes)) {
    if (name !== 'id') fields.set(short.attributes[name] ?? name, { line, value: { kind: 'loose', text: value } })
  }
  const body = short.body?.markup ? markupOf(element) : (element.textContent ?? '').trim()
  if (short.body && body !== '') fields.set(short.body.field, { line, value: { kind: 'text', text: body } })
  else if (body !== '') report(reading, element, `<${element.tagName}> takes no content.`)
  addRecord(reading, element, { model: short.model, noupdate, fields })
}

/** The elements inside, as text; blank text and comments between them are dropped. */
export function markupOf(element: Element): string {
  const serializer = new XMLSerializer()
  return childElements(element)
    .map((child) => serializer.serializeToString(child))
    .join('\n')
}

function addRecord(
  reading: Reading,
  element: Element,
  record: Pick<SourceRecord, 'model' | 'noupdate' | 'fields'>,
): void {
  const id = element.getAttribute('id')
  const xmlid = id === null ? null : fullXmlid(reading.module, id)
  if (xmlid === null) report(reading, element, `<${element.tagName}> needs an id made of letters, digits and _.`)
  else reading.records.push({ file: reading.file, line: nodeLine(element), xmlid, ...record })
}
