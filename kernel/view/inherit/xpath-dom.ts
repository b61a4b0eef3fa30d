import { type Budget, type EditNode, isText, spend } from './edit-tree.ts'

const ELEMENT = 1
const ATTRIBUTE = 2
const TEXT = 3
const DOCUMENT = 9

/** Charges the budget of the view for the work of one evaluation. */
export interface Work {
  /** Charges for reading a node. */
  visit(count?: number): void
  /** Charges for creating a node or comparing two. */
  handle(): void
  /** Charges for reading a text, which functions scan character by character. */
  read(chars: number): void
}

/** Visits after which one more costs twice: the package compares every node it finds with all it has found before. */
const VISITS_TO_DOUBLE = 1_000
/** There may be ten times as many attributes as elements, so sets of them cost more. */
const ATTRIBUTE_VISITS = 4
const HANDLED_PER_UNIT = 4
const CHARS_PER_UNIT = 4

/** `weight` is what each visit costs: the more parts an expression has, the more is done at a node. */
export function countWork(budget: Budget, weight: number): Work {
  let visits = 0
  return {
    visit: (count = 1) => {
      visits += count
      spend(budget, weight * count * (1 + visits / VISITS_TO_DOUBLE))
    },
    handle: () => spend(budget, 1 / HANDLED_PER_UNIT),
    read: (chars) => spend(budget, (weight * chars) / CHARS_PER_UNIT),
  }
}

/**
 * A node of a view in the shape of a DOM node, read-only and for one evaluation: what the `xpath` package reads of a document, and no
 * more. The package asks for `nodeType` whenever it looks at a node, so that is where work is counted.
 */
export class DomNode {
  readonly namespaceURI = null
  readonly localName: string
  ownerDocument: DomNode | null = null
  ownerElement: DomNode | null = null
  parentNode: DomNode | null = null
  firstChild: DomNode | null = null
  lastChild: DomNode | null = null
  nextSibling: DomNode | null = null
  previousSibling: DomNode | null = null
  private attributeNodes: readonly DomNode[] | null = null

  constructor(
    private readonly type: number,
    readonly nodeName: string,
    /** Its place in document order. */
    readonly order: number,
    private readonly work: Work,
    private readonly text: string,
    readonly element: EditNode | null = null,
  ) {
    this.localName = nodeName
  }

  get nodeType(): number {
    this.work.visit(this.type === ATTRIBUTE ? ATTRIBUTE_VISITS : 1)
    return this.type
  }

  get nodeValue(): string {
    this.work.read(this.text.length)
    return this.text
  }

  get attributes(): { readonly length: number; item(index: number): DomNode | undefined } | null {
    if (this.element === null) return null
    this.attributeNodes ??= this.readAttributes(this.element)
    const nodes = this.attributeNodes
    return { length: nodes.length, item: (index) => nodes[index] }
  }

  private readAttributes({ attrs }: EditNode): readonly DomNode[] {
    return [...attrs].map(([name, value], index) => {
      // After the element and before the first node in it.
      const order = this.order + (index + 1) / (attrs.size + 1)
      const attribute = new DomNode(ATTRIBUTE, name, order, this.work, value)
      attribute.ownerDocument = this.ownerDocument
      attribute.ownerElement = this
      return attribute
    })
  }

  /** 2: the other node is before this one; 4: after it. */
  compareDocumentPosition(other: DomNode): number {
    this.work.handle()
    return other.order < this.order ? 2 : 4
  }

  append(child: DomNode): void {
    child.parentNode = this
    child.previousSibling = this.lastChild
    if (this.lastChild === null) this.firstChild = child
    else this.lastChild.nextSibling = child
    this.lastChild = child
  }

  /** Whether the element has a class; the `hasclass` function of expressions. */
  hasClass(name: string): boolean {
    const names = this.element?.attrs.get('class') ?? ''
    this.work.read(names.length)
    return names.split(/\s+/).includes(name)
  }
}

/** The root element, in a document of its own. */
export function toDom(root: EditNode, work: Work): DomNode {
  let order = 0
  const document = new DomNode(DOCUMENT, '#document', order, work, '')
  const append = (parent: DomNode, node: EditNode | string): DomNode => {
    work.handle()
    order++
    const made = isText(node)
      ? new DomNode(TEXT, '#text', order, work, node)
      : new DomNode(ELEMENT, node.tag, order, work, '', node)
    made.ownerDocument = document
    parent.append(made)
    if (!isText(node)) for (const child of node.children) append(made, child)
    return made
  }
  return append(document, root)
}
