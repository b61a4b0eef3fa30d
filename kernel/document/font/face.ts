import { createFont, type Font, type FontGlyph } from './fontkit.ts'

/** A glyph and the text it stands for. Distances are thousandths of the font size. */
export interface Glyph {
  readonly id: number
  readonly text: string
  readonly width: number
}

/** A glyph at its place in a line: the pen moves by `advance`, the glyph stands off it by `dx` and `dy`. */
export interface PlacedGlyph extends Glyph {
  readonly face: Face
  readonly advance: number
  readonly dx: number
  readonly dy: number
}

/** Letters that stand side by side without rules for shaping: a look-up in the font is all they need, and a hundredth of the time. */
const KERNED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}]/u
const DIGITS = '0123456789'

/** One font file. */
export class Face {
  readonly font: Font
  readonly bytes: Uint8Array
  readonly #scale: number
  readonly #glyphs = new Map<number, Glyph | null>()
  readonly #kerning = new Map<number, number>()

  constructor(bytes: Uint8Array) {
    this.font = createFont(bytes)
    this.bytes = bytes
    this.#scale = 1_000 / this.font.unitsPerEm
    this.#useTabularFigures()
  }

  /** Null if the font has none for this character. */
  glyph(codePoint: number): Glyph | null {
    const known = this.#glyphs.get(codePoint)
    if (known !== undefined) return known
    const glyph = this.font.hasGlyphForCodePoint(codePoint)
      ? this.#toGlyph(this.font.glyphForCodePoint(codePoint), String.fromCodePoint(codePoint))
      : null
    this.#glyphs.set(codePoint, glyph)
    return glyph
  }

  /** How much closer two neighbours stand than their widths say. */
  kerning(left: number, right: number): number {
    const key = left * 0x200000 + right
    const known = this.#kerning.get(key)
    if (known !== undefined) return known
    const kerning = this.#findKerning(String.fromCodePoint(left), String.fromCodePoint(right))
    this.#kerning.set(key, kerning)
    return kerning
  }

  /** A text whose letters join, change places or run from right to left; in the order in which they are seen. */
  shape(text: string): PlacedGlyph[] {
    const { glyphs, positions } = this.font.layout(text)
    return glyphs.map((glyph, i) => {
      const { xAdvance, xOffset, yOffset } = positions[i]!
      return {
        face: this,
        ...this.#toGlyph(glyph, String.fromCodePoint(...glyph.codePoints)),
        advance: xAdvance * this.#scale,
        dx: xOffset * this.#scale,
        dy: yOffset * this.#scale,
      }
    })
  }

  #toGlyph = ({ id, advanceWidth }: FontGlyph, text: string): Glyph => ({
    id,
    text,
    width: advanceWidth * this.#scale,
  })

  /** Figures of one width, so that numbers stand below each other. */
  #useTabularFigures(): void {
    const { glyphs } = this.font.layout(DIGITS, ['tnum'])
    if (glyphs.length !== DIGITS.length) return
    for (const [i, digit] of [...DIGITS].entries())
      this.#glyphs.set(digit.codePointAt(0)!, this.#toGlyph(glyphs[i]!, digit))
  }

  #findKerning(left: string, right: string): number {
    if (!KERNED.test(left) || !KERNED.test(right)) return 0
    const { glyphs, positions } = this.font.layout(left + right)
    return glyphs.length === 2 ? (positions[0]!.xAdvance - glyphs[0]!.advanceWidth) * this.#scale : 0
  }
}
