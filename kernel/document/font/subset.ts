import type { Face } from './face.ts'
import { joinBytes, TrueTypeSubset } from './true-type-subset.ts'

/** The glyphs of a font that one file uses. */
export interface Subset {
  /** Outlines of PostScript (CFF) rather than of TrueType. */
  readonly isCff: boolean
  /** Adds a glyph; answers its number in the part of the font. */
  include(glyph: number): number
  encode(): Promise<Uint8Array>
}

export function subsetOf({ font, bytes }: Face): Subset {
  if (!font.cff) {
    const subset = new TrueTypeSubset(bytes)
    return { isCff: false, include: (glyph) => subset.include(glyph), encode: async () => subset.encode() }
  }
  const subset = font.createSubset()
  return {
    isCff: true,
    include: (glyph) => subset.includeGlyph(glyph),
    encode: () =>
      new Promise((resolve) => {
        const parts: Uint8Array[] = []
        subset
          .encodeStream()
          .on('data', (part) => parts.push(part))
          .on('end', () => resolve(joinBytes(parts)))
      }),
  }
}
