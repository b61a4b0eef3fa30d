import { DOMParser, type Document, type Element, type Node, ParseError } from '@xmldom/xmldom'
import { tagsIn } from './xml-tags.ts'

/** Limits for every XML text the service parses. */
export const XML_LIMITS = { bytes: 262_144, nodes: 5_000, depth: 64, attributes: 64 } as const

/** How large a text may be. Parsing cannot be interrupted, so other requests wait for it. */
export type XmlSize = Readonly<Record<'bytes' | 'nodes', number>>

const tooManyElements = ({ nodes }: XmlSize) => `Has more than ${nodes} elements.`
const TOO_MANY_ATTRIBUTES = `Has more than ${XML_LIMITS.attributes} attributes in one element.`
const TOO_DEEP = `Is nested deeper than ${XML_LIMITS.depth} levels.`

export interface XmlProblem {
  readonly line: number
  readonly reason: string
}

export type ParsedXml = { readonly root: Element } | { readonly problems: readonly XmlProblem[] }

/** Parses XML without DTD or entities. The limits are checked on the text first, because the parser is slow on XML bombs. */
export function parseXml(text: string, size: XmlSize = XML_LIMITS): ParsedXml {
  const tooMuch = refuseText(text, size)
  if (tooMuch) return { problems: [tooMuch] }
  const problems: XmlProblem[] = []
  let document: Document
  try {
    document = new DOMParser({
      onError: (level, message, context) => {
        if (level !== 'fatalError') problems.push({ line: lineOf(context?.locator), reason: message })
      },
    }).parseFromString(text, 'text/xml')
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { problems: [...problems, { line: lineOf(error.locator), reason: error.message }] }
  }
  const root = document.documentElement
  if (root === null) return { problems: [{ line: 1, reason: 'There is no element.' }] }
  problems.push(...refuseShape(root, size))
  return problems.length > 0 ? { problems } : { root }
}

const lineOf = (place: unknown): number => {
  const line = Object(place).lineNumber
  return typeof line === 'number' && line > 0 ? line : 1
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Line of a node in the text it was parsed from. The parser sets it; the DOM types do not know it. */
export const nodeLine = (node: Node): number => lineOf(node)

export const childElements = (parent: Node): Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE)

function refuseText(text: string, size: XmlSize): XmlProblem | null {
  if (new TextEncoder().encode(text).length > size.bytes) {
    return { line: 1, reason: `Is larger than ${size.bytes / 1024} KB.` }
  }
  const forbidden = /<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.exec(text)
  if (forbidden) {
    return { line: lineAt(text, forbidden.index), reason: 'A document type is not allowed.' }
  }
  if (count(text, '<') > 2 * size.nodes) return { line: 1, reason: tooManyElements(size) }
  return refuseTags(text, size)
}

/** Checks the number, depth and attributes of the tags in a text before a tree is built of them. */
function refuseTags(text: string, size: XmlSize): XmlProblem | null {
  let nodes = 0
  let depth = 0
  for (const { at, kind, attributes } of tagsIn(text)) {
    const problem = (reason: string) => ({ line: lineAt(text, at), reason })
    if (kind === 'close') {
      depth--
      continue
    }
    if (++nodes > size.nodes) return { line: 1, reason: tooManyElements(size) }
    if (attributes() > XML_LIMITS.attributes) return problem(TOO_MANY_ATTRIBUTES)
    if (depth >= XML_LIMITS.depth) return problem(TOO_DEEP)
    if (kind === 'open') depth++
  }
  return null
}

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++
  return found
}

function refuseShape(root: Element, size: XmlSize): XmlProblem[] {
  const problems: XmlProblem[] = []
  let nodes = 0
  const stack: { readonly element: Element; readonly depth: number }[] = [{ element: root, depth: 1 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { element, depth } = top
    nodes++
    if (depth > XML_LIMITS.depth) {
      problems.push({ line: nodeLine(element), reason: TOO_DEEP })
      continue
    }
    if (element.attributes.length > XML_LIMITS.attributes)
      problems.push({ line: nodeLine(element), reason: TOO_MANY_ATTRIBUTES })
    for (const child of childElements(element)) stack.push({ element: child, depth: depth + 1 })
  }
  if (nodes > size.nodes) problems.push({ line: 1, reason: tooManyElements(size) })
  return problems
}
