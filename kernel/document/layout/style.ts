import type { Color, TextStyle } from './box.ts'

const INK: Color = [0.075, 0.086, 0.106]
const MUTED: Color = [0.31, 0.325, 0.345]
export const RULE: Color = [0.815, 0.82, 0.83]
export const TINT: Color = [0.957, 0.96, 0.965]
export { INK, MUTED }

const regular = (size: number, leading: number, color = INK): TextStyle => ({ size, leading, weight: 'regular', color })
const strong = (size: number, leading: number, color = INK): TextStyle => ({ size, leading, weight: 'strong', color })

/** Every size of text that documents have. */
export const STYLES = {
  brandLarge: strong(15, 17),
  brandSmall: strong(10, 12),
  headNote: regular(8, 11, MUTED),
  title: strong(15, 19),
  subtitle: regular(9, 13, MUTED),
  heading: strong(10, 14),
  from: regular(6.5, 9, MUTED),
  address: regular(9.5, 14),
  body: regular(8.5, 12.5),
  bodyStrong: strong(8.5, 12.5),
  label: regular(8.5, 12.5, MUTED),
  columnHead: regular(7.5, 10, MUTED),
  details: regular(7.5, 10.5, MUTED),
  note: regular(8, 11.5, MUTED),
  grandTotal: strong(12, 15),
  foot: regular(6.8, 9.6, MUTED),
  footStrong: strong(6.8, 9.6),
} as const satisfies Record<string, TextStyle>

/** A style in another size, with its leading. */
export const scaled = (style: TextStyle, factor: number): TextStyle => ({
  ...style,
  size: style.size * factor,
  leading: style.leading * factor,
})

/** From the top of a line to its baseline. */
export const baseline = ({ size, leading }: TextStyle): number => (leading - size) / 2 + size * 0.86
