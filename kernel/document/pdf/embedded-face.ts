import { type PDFContext, PDFHexString, type PDFRef, PDFString } from 'pdf-lib'
import type { Face, Glyph } from '../font/face.ts'
import { type Subset, subsetOf } from '../font/subset.ts'

/** A glyph of the file, under the code that its text has in content streams. */
interface UsedGlyph {
  readonly code: number
  /** In the part of the font that is embedded. */
  readonly glyphId: number
  readonly text: string
  readonly width: number
}

/**
 * A font as it goes into one file: only the glyphs that are used. A code stands for a glyph and its text, so that what is copied out
 * of the file is what was written, even if two characters look the same or have no glyph.
 */
export class EmbeddedFace {
  readonly name: string
  readonly #face: Face
  readonly #subset: Subset
  readonly #used = new Map<string, UsedGlyph>()

  constructor(face: Face, name: string) {
    this.name = name
    this.#face = face
    this.#subset = subsetOf(face)
  }

  /** The code of a glyph as four hexadecimal digits. */
  encode({ id, text, width }: Glyph): string {
    const key = `${id} ${text}`
    const known = this.#used.get(key)
    if (known) return hex4(known.code)
    const glyphId = id === 0 ? 0 : this.#subset.include(id)
    // Outlines of the other kind are found by their place in the font alone.
    const code = this.#subset.isCff ? glyphId : this.#used.size + 1
    this.#used.set(key, { code, glyphId, text, width })
    return hex4(code)
  }

  async embed(context: PDFContext, ref: PDFRef): Promise<void> {
    const used = [...this.#used.values()].sort((a, b) => a.code - b.code)
    const name = `${tagOf(used)}+${(this.#face.font.postscriptName ?? 'Font').replace(/[^\w-]/g, '')}`
    const cidFont = context.register(
      context.obj({
        Type: 'Font',
        Subtype: this.#subset.isCff ? 'CIDFontType0' : 'CIDFontType2',
        BaseFont: name,
        CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
        FontDescriptor: await this.#descriptor(context, name),
        W: used.flatMap(({ code, width }) => [code, [Math.round(width)]]),
        ...(!this.#subset.isCff && { CIDToGIDMap: context.register(context.flateStream(glyphMap(used))) }),
      }),
    )
    context.assign(
      ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: name,
        Encoding: 'Identity-H',
        DescendantFonts: [cidFont],
        ToUnicode: context.register(context.flateStream(unicodeMap(used))),
      }),
    )
  }

  async #descriptor(context: PDFContext, name: string): Promise<PDFRef> {
    const { font } = this.#face
    const scale = 1_000 / font.unitsPerEm
    const { minX, minY, maxX, maxY } = font.bbox
    const file = context.flateStream(
      await this.#subset.encode(),
      this.#subset.isCff ? { Subtype: 'CIDFontType0C' } : {},
    )
    return context.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: name,
        Flags: 4,
        FontBBox: [minX, minY, maxX, maxY].map((value) => Math.round(value * scale)),
        ItalicAngle: font.italicAngle || 0,
        Ascent: Math.round(font.ascent * scale),
        Descent: Math.round(font.descent * scale),
        CapHeight: Math.round((font.capHeight || font.ascent) * scale),
        StemV: 80,
        [this.#subset.isCff ? 'FontFile3' : 'FontFile2']: context.register(file),
      }),
    )
  }
}

const hex4 = (value: number): string => value.toString(16).padStart(4, '0')

/** Six letters, as part of a font has before its name; of the same part the same. */
function tagOf(used: readonly UsedGlyph[]): string {
  let sum = used.length
  for (const { glyphId, code } of used) sum = (sum * 31 + glyphId * 7 + code) % 308_915_776
  return Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + (Math.floor(sum / 26 ** i) % 26))).join('')
}

/** Code → glyph of the font, two bytes each. */
function glyphMap(used: readonly UsedGlyph[]): Uint8Array {
  const map = new Uint8Array(2 * (used.length + 1))
  for (const { code, glyphId } of used) map.set([glyphId >> 8, glyphId & 255], 2 * code)
  return map
}

const MAX_PER_PART = 100

/** Code → text, by which readers search and copy. */
function unicodeMap(used: readonly UsedGlyph[]): string {
  const lines = used
    .filter(({ text }) => text !== '')
    .map(({ code, text }) => `<${hex4(code)}> ${PDFHexString.fromText(text).toString().replace('FEFF', '')}`)
  const parts: string[] = []
  for (let at = 0; at < lines.length; at += MAX_PER_PART) {
    const part = lines.slice(at, at + MAX_PER_PART)
    parts.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${parts.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
