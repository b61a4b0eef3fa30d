import { cffSubset } from './cff-subset.ts'
import type { Face } from './face.ts'
import { TrueTypeSubset } from './true-type-subset.ts'

/** The glyphs of a font that one file uses. */
export interface Subset {
  /** Outlines of PostScript (CFF) rather than of TrueType. */
  readonly isCff: boolean
  /** Adds a glyph; answers its number in the part of the font. */
  include(glyph: number): number
  encode(): Promise<Uint8Array>
}

/** Throws if the font has outlines of neither kind. */
export function subsetOf({ font, bytes }: Face): Subset {
  if ('CFF ' in font) return cffSubset(font)
  const subset = new TrueTypeSubset(bytes)
  return { isCff: false, include: (glyph) => subset.include(glyph), encode: async () => subset.encode() }
}
