import type { Element } from '@xmldom/xmldom'
import { nodeLine, parseXml, XML_LIMITS, type XmlProblem } from '../../data/xml-document.ts'
import type { ArchNode } from './arch.ts'

export type ParsedArch = { readonly root: ArchNode } | { readonly problems: readonly XmlProblem[] }

/** The origin of a text: its addon (empty: a user wrote it) and its view. */
export interface ArchOrigin {
  readonly addon: string
  readonly viewId: number
}

/** Twenty times the largest shipped view; one of this size is read and checked in a few dozen milliseconds. */
export const VIEW_LIMITS = { ...XML_LIMITS, bytes: 131_072, nodes: 2_000 } as const

/** The definition of a view, within the caps of every XML text and those of views. */
export function parseArch(text: string, origin: ArchOrigin): ParsedArch {
  const parsed = parseXml(text, VIEW_LIMITS)
  return 'problems' in parsed ? parsed : { root: readElement(parsed.root, origin) }
}

/** The changes an extension makes, below one `<data>`, which the text may leave out. */
export function parseSpecs(text: string, origin: ArchOrigin): ParsedArch {
  const isWhole = /^\s*<(\?xml|data[\s/>])/.test(text)
  return parseArch(isWhole ? text : `<data>${text}</data>`, origin)
}

const TEXT_NODE = 3
const CDATA_NODE = 4
/** The element whose text is the value of an attribute, in which every blank counts. */
const ATTRIBUTE = 'attribute'

function readElement(element: Element, origin: ArchOrigin): ArchNode {
  const children: (ArchNode | string)[] = []
  for (const child of Array.from(element.childNodes)) {
    if (child.nodeType === child.ELEMENT_NODE) {
      // The node type says that it is an element, which the DOM types do not connect.
      children.push(readElement(child as Element, origin))
    } else if (child.nodeType === TEXT_NODE || child.nodeType === CDATA_NODE) {
      addText(children, child.nodeValue ?? '', element.tagName === ATTRIBUTE)
    }
  }
  return {
    tag: element.tagName,
    attrs: Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value])),
    children,
    addon: origin.addon,
    source: { viewId: origin.viewId, line: nodeLine(element) },
  }
}

/** Blanks with a line break between elements are only layout of the file and dropped; any other run of blanks becomes one visible blank. */
function addText(children: (ArchNode | string)[], text: string, isValue: boolean): void {
  if (text.trim() === '' && text.includes('\n')) return
  const shown = isValue ? text : text.replace(/\s+/g, ' ')
  const last = children.at(-1)
  if (typeof last === 'string') children[children.length - 1] = last + shown
  else children.push(shown)
}
