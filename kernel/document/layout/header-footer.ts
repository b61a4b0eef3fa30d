import type { DocumentContent } from '../content.ts'
import { cleanText } from '../font/clean-text.ts'
import type { TextMeasure } from '../font/font-set.ts'
import type { DrawnPage } from './box.ts'
import { lineBox } from './flow.ts'
import { mm } from './paper.ts'
import { type PictureSize, pictureSize } from './picture-size.ts'
import { INK, MUTED, STYLES } from './style.ts'
import { widthOf, wrapText } from './wrap.ts'

/** The largest that a logo may be. */
const LOGO = { large: { width: mm(60), height: mm(13) }, small: { width: mm(30), height: mm(7) } }
/** A picture is unpacked into memory, four bytes for each of its points. */
const MAX_POINTS = 4_000_000

/** The size of the logo on a page; null without a logo that can be drawn. */
export function logoSize(logo: Uint8Array | null, most: PictureSize): PictureSize | null {
  const size = logo === null ? null : pictureSize(logo)
  if (size === null || size.width * size.height > MAX_POINTS) return null
  const scale = Math.min(most.width / size.width, most.height / size.height)
  return { width: size.width * scale, height: size.height * scale }
}

/** The letterhead of a page; answers where its text begins. */
export function layLetterhead(
  fonts: TextMeasure,
  { letterhead }: DocumentContent,
  page: DrawnPage,
  isFirst: boolean,
): number {
  const { left, right, top } = page.sheet
  const isLarge = letterhead.isLetter && isFirst
  const brand = isLarge ? STYLES.brandLarge : STYLES.brandSmall
  const logo = logoSize(letterhead.logo, isLarge ? LOGO.large : LOGO.small)
  const height = Math.max(logo?.height ?? 0, brand.leading)
  const note = cleanText(isFirst ? letterhead.note : letterhead.laterNote).replaceAll('\n', ' ')
  const noteWidth = Math.min(widthOf(fonts, note, STYLES.headNote), (right - left) * 0.6)
  const x = logo === null ? left : left + logo.width + mm(3)
  const [name = ''] = wrapText(fonts, letterhead.name, brand, right - x - noteWidth - mm(4))
  const [noteLine = ''] = wrapText(fonts, note, STYLES.headNote, (right - left) * 0.6)
  if (logo !== null) page.boxes.push({ kind: 'logo', x: left, y: top + (height - logo.height) / 2, ...logo })
  page.boxes.push(
    lineBox(fonts, name, brand, x, top + (height - brand.leading) / 2),
    lineBox(fonts, noteLine, STYLES.headNote, right, top + (height - STYLES.headNote.leading) / 2, { align: 'end' }),
  )
  const ruleY = top + height + mm(isLarge ? 4.5 : 3)
  page.boxes.push({ kind: 'rule', x: left, y: ruleY, width: right - left, thickness: 0.5, color: INK })
  return ruleY + mm(5)
}

/** The footers, as soon as the number of pages is known. */
export function layFooters(fonts: TextMeasure, { footer }: DocumentContent, pages: readonly DrawnPage[]): void {
  for (const [index, page] of pages.entries()) {
    const { left, right, bottom } = page.sheet
    const top = bottom + mm(4)
    page.boxes.push({ kind: 'rule', x: left, y: top, width: right - left, thickness: 0.25, color: MUTED })
    const y = top + mm(2.5)
    const width = (right - left) / Math.max(1, footer.columns.length)
    for (const [column, { heading, lines }] of footer.columns.entries()) {
      const texts = [heading, ...lines].map((text) => wrapText(fonts, text, STYLES.footStrong, width - mm(3))[0] ?? '')
      for (const [i, text] of texts.entries()) {
        const style = i === 0 ? STYLES.footStrong : STYLES.foot
        page.boxes.push(lineBox(fonts, text, style, left + column * width, y + i * style.leading))
      }
    }
    const tallest = Math.max(0, ...footer.columns.map(({ lines }) => lines.length + 1))
    const last = y + tallest * STYLES.foot.leading
    const number = footer.pageText.replace('{page}', String(index + 1)).replace('{pages}', String(pages.length))
    const [note = ''] = wrapText(fonts, footer.note, STYLES.foot, (right - left) * 0.8)
    page.boxes.push(
      lineBox(fonts, note, STYLES.foot, left, last),
      lineBox(fonts, number, STYLES.foot, right, last, { align: 'end' }),
    )
  }
}
