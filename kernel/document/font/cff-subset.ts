import { joinBytes } from '../../bytes.ts'
import type { Font } from './fontkit.ts'
import type { Subset } from './subset.ts'

/** A font for some of the glyphs: Chinese and Latin letters of one file have a dictionary and subroutines each. */
interface Dictionary {
  FontName?: unknown
  Private?: { Subrs?: readonly unknown[] }
}

/** The parts of the package's subset that are used here; its types do not declare them. */
interface PackageSubset {
  readonly glyphs: readonly number[]
  readonly cff: {
    readonly topDict: { readonly FDArray: readonly Dictionary[] }
    fdForGlyph(glyph: number): number | null
  }
  subsetSubrs(subrs: readonly unknown[], used: Readonly<Record<string, true>>): readonly unknown[]
  subsetFontdict(top: Record<string, unknown>): void
}

/** A font of PostScript outlines with only some of its glyphs. */
export function cffSubset(font: Font): Subset {
  const subset = font.createSubset()
  const inner = subset as unknown as PackageSubset
  inner.subsetFontdict = (top) => Object.assign(top, dictionariesOf(font, inner))
  return {
    isCff: true,
    include: (glyph) => subset.includeGlyph(glyph),
    encode: () =>
      new Promise((resolve) => {
        const parts: Uint8Array[] = []
        subset
          .encodeStream()
          .on('data', (part) => parts.push(part))
          .on('end', () => resolve(withOffsetSize(joinBytes(parts))))
      }),
  }
}

/** The package writes the length of the font where the size of its offsets belongs, so readers refuse the font. */
function withOffsetSize(cff: Uint8Array): Uint8Array {
  cff[3] = 4
  return cff
}

/**
 * The dictionaries of the glyphs, and which of them each glyph has. It is written here because the package takes the one added last for
 * a glyph whose dictionary is there already: Chinese after Latin after Chinese would be drawn with subroutines of Latin.
 */
function dictionariesOf(font: Font, { glyphs, cff, subsetSubrs }: PackageSubset) {
  const numbers = new Map<number, number>()
  const used: Record<string, true>[] = []
  const fds = glyphs.map((id) => {
    const old = cff.fdForGlyph(id) ?? 0
    const number = numbers.get(old) ?? numbers.size
    numbers.set(old, number)
    const glyph = font.getGlyph(id) as unknown as { readonly path: unknown; readonly _usedSubrs?: Record<string, true> }
    // The subroutines of an outline are known once it is read.
    if (glyph.path) used[number] = { ...used[number], ...glyph._usedSubrs }
    return number
  })
  const dictionaries = [...numbers.keys()].map((old, number) => {
    const { FontName: _, Private: own, ...rest } = cff.topDict.FDArray[old]!
    const subrs = own?.Subrs && subsetSubrs.call({ cff }, own.Subrs, used[number] ?? {})
    return { ...rest, ...(own && { Private: { ...own, ...(subrs && { Subrs: subrs }) } }) }
  })
  return { FDArray: dictionaries, FDSelect: { version: 0, fds } }
}
