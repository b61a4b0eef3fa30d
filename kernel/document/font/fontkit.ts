import * as fontkit from '@pdf-lib/fontkit'

export type Font = fontkit.Font
export type FontGlyph = fontkit.Glyph

// Its bundle for browsers has everything as the default export, whatever its types say.
const { create } = 'default' in fontkit ? (fontkit.default as typeof fontkit) : fontkit

/** Throws if the bytes are no font. Of a collection the first font. */
export function createFont(bytes: Uint8Array): Font {
  const font = create(bytes) as Font & { readonly fonts?: readonly Font[] }
  return font.fonts?.[0] ?? font
}
