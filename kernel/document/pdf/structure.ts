import { type PDFContext, PDFObject, type PDFRef } from 'pdf-lib'
import type { Tag } from '../layout/box.ts'

interface Element {
  readonly ref: PDFRef
  readonly role: string
  readonly parent: PDFRef
  readonly kids: (PDFRef | Marked)[]
  /** How many columns a cell covers. */
  readonly span?: number | undefined
}

/** A part of a content stream that belongs to an element. */
interface Marked {
  readonly page: PDFRef
  readonly id: number
}

const toKid = (kid: PDFRef | Marked): string =>
  'page' in kid ? `<</Type/MCR/Pg ${kid.page}/MCID ${kid.id}>>` : kid.toString()

/** An object that is written already: a table has an element for every cell, and building each from its parts takes too long. */
class PlainObject extends PDFObject {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  override toString(): string {
    return this.#text
  }

  override sizeInBytes(): number {
    return this.#text.length
  }

  override copyBytesInto(buffer: Uint8Array, offset: number): number {
    new TextEncoder().encodeInto(this.#text, buffer.subarray(offset))
    return this.#text.length
  }
}

/** The logical structure of a document: headings, paragraphs and tables, for screen readers and programs that read it. */
export class Structure {
  readonly #context: PDFContext
  readonly #root: PDFRef
  readonly #document: Element
  readonly #elements = new Map<string, Element>()
  /** For each page the elements of its marked parts, in their order. */
  readonly #owners: PDFRef[][] = []

  constructor(context: PDFContext) {
    this.#context = context
    this.#root = context.nextRef()
    this.#document = { ref: context.nextRef(), role: 'Document', parent: this.#root, kids: [] }
    this.#elements.set('document', this.#document)
  }

  /** Counts a page and answers its place, which the page stores. */
  openPage(): number {
    return this.#owners.push([]) - 1
  }

  /** Adds the next part of the current page; answers the number it is marked with. */
  mark(tag: Tag, page: PDFRef): number {
    const owners = this.#owners.at(-1)!
    const element = this.#elementOf(tag)
    element.kids.push({ page, id: owners.length })
    return owners.push(element.ref) - 1
  }

  /** Writes everything; answers the root for the catalogue. */
  finish(): PDFRef {
    for (const { ref, role, parent, kids, span } of this.#elements.values()) {
      const attributes = span === undefined ? '' : `/A<</O/Table/ColSpan ${span}>>`
      this.#context.assign(
        ref,
        new PlainObject(`<</Type/StructElem/S/${role}/P ${parent}${attributes}/K[${kids.map(toKid).join(' ')}]>>`),
      )
    }
    const owners = this.#owners.map((refs, page) => `${page}[${refs.join(' ')}]`)
    const tree = this.#context.register(new PlainObject(`<</Nums[${owners.join('')}]>>`))
    this.#context.assign(
      this.#root,
      this.#context.obj({
        Type: 'StructTreeRoot',
        K: [this.#document.ref],
        ParentTree: tree,
        ParentTreeNextKey: this.#owners.length,
      }),
    )
    return this.#root
  }

  #elementOf(tag: Tag): Element {
    if (!('table' in tag)) return this.#element(`${tag.role} ${tag.nth}`, tag.role, this.#document)
    const table = this.#element(`table ${tag.table}`, 'Table', this.#document)
    const row = this.#element(`row ${tag.table} ${tag.row}`, 'TR', table)
    return this.#element(`cell ${tag.table} ${tag.row} ${tag.column}`, tag.role, row, tag.span)
  }

  #element(key: string, role: string, parent: Element, span?: number): Element {
    const known = this.#elements.get(key)
    if (known) return known
    const element: Element = { ref: this.#context.nextRef(), role, parent: parent.ref, kids: [], span }
    this.#elements.set(key, element)
    parent.kids.push(element.ref)
    return element
  }
}
