import { directedRuns } from './bidi.ts'
import { Face, type PlacedGlyph } from './face.ts'
import { subsetOf } from './subset.ts'

export type Weight = 'regular' | 'strong'

/** Font files: the two that every document uses, then fallbacks for characters that those lack. */
export interface FontFiles {
  readonly regular: Uint8Array
  readonly strong: Uint8Array
  readonly fallback: readonly Uint8Array[]
}

/** What the layout needs to know about fonts. */
export interface TextMeasure {
  /** Width of a text of one line in thousandths of the font size. */
  width(text: string, weight: Weight): number
}

/** Scripts whose letters join, carry marks or run from right to left, and loose accents. */
const SHAPED =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Mongolian}\p{M}]/u

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u
const BOX = 0x25a1
/** Words whose width is remembered. */
const MAX_WORDS = 50_000

/** Chooses the font of each character. A character that no font has is drawn as a box, but copied text has the character. */
export class FontSet implements TextMeasure {
  readonly #faces: Readonly<Record<Weight, readonly Face[]>>
  readonly #widths = new Map<string, number>()

  /** A fallback file that is not a font is left out. */
  constructor({ regular, strong, fallback }: FontFiles) {
    const others = fallback.flatMap((bytes) => openFace(bytes) ?? [])
    this.#faces = { regular: [new Face(regular), ...others], strong: [new Face(strong), ...others] }
  }

  width(text: string, weight: Weight): number {
    const key = weight + text
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    const width = this.shape(text, weight).reduce((sum, { advance }) => sum + advance, 0)
    if (this.#widths.size >= MAX_WORDS) this.#widths.clear()
    this.#widths.set(key, width)
    return width
  }

  /** The glyphs of a line, from left to right. */
  shape(text: string, weight: Weight): readonly PlacedGlyph[] {
    return directedRuns(text).flatMap(({ text: run, isRightToLeft }) => {
      const parts = this.#splitByFace(run, this.#faces[weight])
      return (isRightToLeft ? parts.toReversed() : parts).flatMap((part) => shapePart(part, isRightToLeft))
    })
  }

  /** Characters side by side that one font has. One without a glyph of its own stays with those before it. */
  #splitByFace(text: string, faces: readonly Face[]): FacePart[] {
    const parts: FacePart[] = []
    for (const char of text) {
      const code = char.codePointAt(0)!
      const last = parts.at(-1)
      const own = last && (UNSEEN.test(char) || /\p{M}/u.test(char)) && last.face.glyph(code) ? last.face : undefined
      const face = own ?? faces.find((each) => each.glyph(code) !== null) ?? faces[0]!
      if (last?.face === face) last.text += char
      else parts.push({ face, text: char })
    }
    return parts
  }
}

interface FacePart {
  readonly face: Face
  text: string
}

function shapePart({ face, text }: FacePart, isRightToLeft: boolean): readonly PlacedGlyph[] {
  const isWhole = [...text].every((char) => face.glyph(char.codePointAt(0)!) !== null)
  if (isWhole && SHAPED.test(text)) {
    try {
      return face.shape(text)
    } catch {
      // A font with faulty tables still has its letters.
    }
  }
  const placed = setGlyphs(face, text)
  return isRightToLeft ? placed.reverse() : placed
}

/** Glyph after glyph, with kerning. */
function setGlyphs(face: Face, text: string): PlacedGlyph[] {
  const codes = [...text].map((char) => char.codePointAt(0)!)
  return codes.flatMap((code, i) => {
    const glyph = face.glyph(code) ?? missingGlyph(face, code)
    if (glyph === null) return []
    const next = codes[i + 1]
    const kerning = next === undefined ? 0 : face.kerning(code, next)
    return [{ face, ...glyph, advance: glyph.width + kerning, dx: 0, dy: 0 }]
  })
}

/** A box, or nothing for an invisible character. */
function missingGlyph(face: Face, code: number) {
  const text = String.fromCodePoint(code)
  if (UNSEEN.test(text)) return null
  const box = face.glyph(BOX)
  return box === null ? { id: 0, text, width: 600 } : { ...box, text }
}

/** Null if the bytes are no font that can be drawn. */
export function openFace(bytes: Uint8Array): Face | null {
  try {
    const face = new Face(bytes)
    // Fonts of bitmaps or variable outlines have letters and widths, but nothing that a file can embed.
    subsetOf(face)
    return face
  } catch {
    return null
  }
}
