import { joinBytes } from '../../bytes.ts'

/** Tables that a PDF file needs of a TrueType font; a reader finds glyphs by number, so it needs no character map. */
const COPIED = ['cvt ', 'fpgm', 'prep']
const REQUIRED = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']

interface Table {
  readonly offset: number
  readonly length: number
}

/** Flags of the parts of a composed glyph. */
const PART = { wordArguments: 0x1, scale: 0x8, more: 0x20, xyScale: 0x40, matrix: 0x80 } as const

/**
 * A TrueType font with only some of its glyphs. It is written here because the fonts that the package makes begin glyphs at odd
 * places, which its index cannot express: most letters of Inter are then missing from the page.
 */
export class TrueTypeSubset {
  readonly #data: DataView
  readonly #tables: ReadonlyMap<string, Table>
  readonly #isLongIndex: boolean
  readonly #glyphs: number[] = [0]
  readonly #numbers = new Map<number, number>([[0, 0]])

  /** Throws if the font lacks a table. */
  constructor(bytes: Uint8Array) {
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#tables = readDirectory(this.#data)
    for (const name of REQUIRED) this.#at(name)
    this.#isLongIndex = this.#data.getInt16(this.#at('head') + 50) === 1
  }

  /** Adds a glyph; answers its number in the new font. */
  include(glyph: number): number {
    const known = this.#numbers.get(glyph)
    if (known !== undefined) return known
    const number = this.#glyphs.push(glyph) - 1
    this.#numbers.set(glyph, number)
    return number
  }

  encode(): Uint8Array {
    const outlines: Uint8Array[] = []
    // Parts of composed glyphs are appended to the list during this loop.
    for (let i = 0; i < this.#glyphs.length; i++) outlines.push(this.#outline(this.#glyphs[i]!))
    const offsets = [0]
    for (const { length } of outlines) offsets.push(offsets.at(-1)! + length)
    const tables: (readonly [string, Uint8Array])[] = [
      ...COPIED.filter((name) => this.#tables.has(name)).map((name) => [name, this.#copy(name)] as const),
      ['glyf', joinBytes(outlines)],
      ['head', this.#patched('head', (head) => head.setInt16(50, 1))],
      ['hhea', this.#patched('hhea', (hhea) => hhea.setUint16(34, this.#glyphs.length))],
      ['hmtx', this.#metrics()],
      ['loca', numbers32(offsets)],
      ['maxp', this.#patched('maxp', (maxp) => maxp.setUint16(4, this.#glyphs.length))],
    ]
    return writeFont(tables)
  }

  #at(name: string): number {
    const table = this.#tables.get(name)
    if (table === undefined) throw new Error(`The font has no table ${name}.`)
    return table.offset
  }

  #copy(name: string): Uint8Array {
    const { offset, length } = this.#tables.get(name)!
    return this.#slice(offset, length)
  }

  #slice(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.#data.buffer, this.#data.byteOffset + offset, length).slice()
  }

  #patched(name: string, patch: (table: DataView) => void): Uint8Array {
    const copy = this.#copy(name)
    patch(new DataView(copy.buffer))
    return copy
  }

  /** Width and left bearing of each glyph. */
  #metrics(): Uint8Array {
    const count = this.#data.getUint16(this.#at('hhea') + 34)
    const at = this.#at('hmtx')
    const metrics = new DataView(new ArrayBuffer(4 * this.#glyphs.length))
    for (const [i, glyph] of this.#glyphs.entries()) {
      const width = this.#data.getUint16(at + 4 * Math.min(glyph, count - 1))
      const bearing = glyph < count ? at + 4 * glyph + 2 : at + 4 * count + 2 * (glyph - count)
      metrics.setUint16(4 * i, width)
      metrics.setInt16(4 * i + 2, this.#data.getInt16(bearing))
    }
    return new Uint8Array(metrics.buffer)
  }

  /** The outline of a glyph, padded to four bytes; its parts get their new numbers. */
  #outline(glyph: number): Uint8Array {
    const loca = this.#at('loca')
    const place = (i: number) =>
      this.#isLongIndex ? this.#data.getUint32(loca + 4 * i) : 2 * this.#data.getUint16(loca + 2 * i)
    const [from, to] = [place(glyph), place(glyph + 1)]
    const outline = new Uint8Array(Math.ceil((to - from) / 4) * 4)
    if (to <= from) return outline
    outline.set(this.#slice(this.#at('glyf') + from, to - from))
    const view = new DataView(outline.buffer)
    if (view.getInt16(0) < 0) this.#renumberParts(view)
    return outline
  }

  #renumberParts(outline: DataView): void {
    for (let at = 10, flags: number = PART.more; flags & PART.more; ) {
      flags = outline.getUint16(at)
      outline.setUint16(at + 2, this.include(outline.getUint16(at + 2)))
      at += 4 + (flags & PART.wordArguments ? 4 : 2)
      at += flags & PART.matrix ? 8 : flags & PART.xyScale ? 4 : flags & PART.scale ? 2 : 0
    }
  }
}

/** The tables of a font file; of a collection those of its first font. */
function readDirectory(data: DataView): ReadonlyMap<string, Table> {
  const COLLECTION = 0x74746366
  const start = data.getUint32(0) === COLLECTION ? data.getUint32(12) : 0
  return new Map(
    Array.from({ length: data.getUint16(start + 4) }, (_, i) => {
      const at = start + 12 + 16 * i
      const name = String.fromCharCode(...[0, 1, 2, 3].map((byte) => data.getUint8(at + byte)))
      return [name, { offset: data.getUint32(at + 8), length: data.getUint32(at + 12) }]
    }),
  )
}

function writeFont(tables: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const directory = new DataView(new ArrayBuffer(12 + 16 * tables.length))
  const power = Math.floor(Math.log2(tables.length))
  directory.setUint32(0, 0x00010000)
  directory.setUint16(4, tables.length)
  directory.setUint16(6, 16 * 2 ** power)
  directory.setUint16(8, power)
  directory.setUint16(10, 16 * tables.length - 16 * 2 ** power)
  let offset = directory.byteLength
  const parts = tables.map(([name, bytes], i) => {
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
    padded.set(bytes)
    const at = 12 + 16 * i
    for (let byte = 0; byte < 4; byte++) directory.setUint8(at + byte, name.charCodeAt(byte))
    directory.setUint32(at + 4, checksum(padded))
    directory.setUint32(at + 8, offset)
    directory.setUint32(at + 12, bytes.length)
    offset += padded.length
    return padded
  })
  return joinBytes([new Uint8Array(directory.buffer), ...parts])
}

function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer)
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
}

function numbers32(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length))
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value)
  return new Uint8Array(view.buffer)
}
