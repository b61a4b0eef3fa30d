import type { PlacedGlyph } from '../font/face.ts'
import type { Weight } from '../font/font-set.ts'
import type { AreaBox, Box, Color, DrawnPage, LogoBox, RuleBox, Tag, TextBox } from '../layout/box.ts'
import type { Resources } from './draw.ts'

/** The content stream of a page. `mark` numbers the parts that belong to the text; the rest is decoration. */
export function operatorsOf({ sheet, boxes }: DrawnPage, resources: Resources, mark: (tag: Tag) => number): string {
  const parts = boxes.map((box) => {
    const drawn = drawBox(box, sheet.height, resources)
    if (drawn === '') return ''
    return box.kind === 'text' && box.tag
      ? `/${box.tag.role} <</MCID ${mark(box.tag)}>> BDC\n${drawn}EMC\n`
      : `/Artifact BMC\n${drawn}EMC\n`
  })
  return parts.join('')
}

/** Places are counted from the top here, and from the bottom in a PDF file. */
function drawBox(box: Box, pageHeight: number, resources: Resources): string {
  switch (box.kind) {
    case 'text':
      return drawText(box, pageHeight, resources)
    case 'rule':
      return drawRule(box, pageHeight)
    case 'area':
      return drawArea(box, pageHeight)
    case 'logo':
      return resources.logo === null ? '' : drawLogo(box, pageHeight)
  }
}

const n = (value: number): string => String(Math.round(value * 1_000) / 1_000)
const rgb = (color: Color): string => color.map(n).join(' ')

function drawText({ text, style, x, y }: TextBox, pageHeight: number, resources: Resources): string {
  const runs = runsOf(text, style.weight, resources)
  if (runs.length === 0) return ''
  const shown = runs.map(({ font, rise, glyphs }) => {
    const lift = rise === 0 ? '' : `${n((rise * style.size) / 1_000)} Ts `
    return `/${font} ${n(style.size)} Tf ${lift}[${glyphs}] TJ${lift === '' ? '' : ' 0 Ts'}\n`
  })
  return `BT ${rgb(style.color)} rg 1 0 0 1 ${n(x)} ${n(pageHeight - y)} Tm\n${shown.join('')}ET\n`
}

/** Glyphs of one font at one height. */
export interface GlyphRun {
  readonly font: string
  readonly rise: number
  readonly glyphs: string
}

/** The runs of a text; the same text occurs again and again in a table. */
function runsOf(text: string, weight: Weight, { fonts, faceOf, runs: known }: Resources): readonly GlyphRun[] {
  const key = weight + text
  const found = known.get(key)
  if (found) return found
  const glyphs = fonts.shape(text, weight)
  const runs: GlyphRun[] = []
  for (let from = 0; from < glyphs.length; ) {
    const { face, dy } = glyphs[from]!
    let to = from
    while (to < glyphs.length && glyphs[to]!.face === face && glyphs[to]!.dy === dy) to++
    const embedded = faceOf(face)
    const shown = showGlyphs(glyphs.slice(from, to), (glyph) => embedded.encode(glyph))
    runs.push({ font: embedded.name, rise: dy, glyphs: shown })
    from = to
  }
  known.set(key, runs)
  return runs
}

/** Codes, and between them numbers by which the pen goes back. */
function showGlyphs(glyphs: readonly PlacedGlyph[], encode: (glyph: PlacedGlyph) => string): string {
  let shown = ''
  let codes = ''
  const goBack = (distance: number) => {
    if (Math.abs(distance) < 0.5) return
    if (codes !== '') shown += `<${codes}>`
    codes = ''
    shown += n(Math.round(distance))
    shown += ' '
  }
  for (const glyph of glyphs) {
    goBack(-glyph.dx)
    codes += encode(glyph)
    goBack(glyph.width + glyph.dx - glyph.advance)
  }
  return codes === '' ? shown : `${shown}<${codes}>`
}

const drawRule = ({ x, y, width, thickness, color }: RuleBox, pageHeight: number): string =>
  `${rgb(color)} rg ${n(x)} ${n(pageHeight - y - thickness / 2)} ${n(width)} ${n(thickness)} re f\n`

function drawArea({ x, y, width, height, fill, border }: AreaBox, pageHeight: number): string {
  const area = `${n(x)} ${n(pageHeight - y - height)} ${n(width)} ${n(height)} re`
  if (fill !== null) return `${rgb(fill)} rg ${area} f\n`
  return border === null ? '' : `${rgb(border)} RG 0.5 w ${area} S\n`
}

const drawLogo = ({ x, y, width, height }: LogoBox, pageHeight: number): string =>
  `q ${n(width)} 0 0 ${n(height)} ${n(x)} ${n(pageHeight - y - height)} cm /Logo Do Q\n`
