import type {
  AddressBlock,
  Block,
  Fact,
  FactsBlock,
  FieldsBlock,
  SignBlock,
  SumBlock,
  TextBlock,
  TitleBlock,
} from '../content.ts'
import { cleanText } from '../font/clean-text.ts'
import type { Flow } from './flow.ts'
import { mm } from './paper.ts'
import { INK, MUTED, RULE, STYLES } from './style.ts'
import { layHeading, layTable } from './table.ts'
import { widthOf, wrapText } from './wrap.ts'

/** Lays a block at the place where the flow is. The last rows of a table stay on a page with what is below it: `below` high. */
export function* layBlock(flow: Flow, block: Block, below = 0): Generator<void> {
  switch (block.kind) {
    case 'title':
      return layTitle(flow, block)
    case 'address':
      return layAddress(flow, block)
    case 'facts':
      return layFacts(flow, block)
    case 'fields':
      return yield* layFields(flow, block)
    case 'text':
      return layText(flow, block)
    case 'table':
      return yield* layTable(flow, block, below)
    case 'sum':
      return laySum(flow, block)
    case 'sign':
      return laySign(flow, block)
  }
}

function layTitle(flow: Flow, { text, subtitle }: TitleBlock): void {
  flow.paragraph(text, STYLES.title, { tag: flow.tag('H1') })
  flow.paragraph(subtitle, STYLES.subtitle, { tag: flow.tag('P') })
  flow.space(mm(2.5))
}

const FACTS_WIDTH = mm(66)
const FACT_LABEL = mm(26)

function layAddress(flow: Flow, { from, lines, facts }: AddressBlock): void {
  flow.space(mm(4))
  const { left, right } = flow.sheet
  const top = flow.y
  const width = flow.width - FACTS_WIDTH - mm(8)
  flow.line(from, STYLES.from, left, top, { tag: flow.tag('P') })
  const ruleY = top + STYLES.from.leading + mm(0.8)
  flow.add({
    kind: 'rule',
    x: left,
    y: ruleY,
    width: Math.min(width, widthOf(flow.fonts, from, STYLES.from)),
    thickness: 0.25,
    color: RULE,
  })
  const wrapped = lines.flatMap((text) => wrapText(flow.fonts, text, STYLES.address, width))
  const y = flow.lines(wrapped, STYLES.address, left, ruleY + mm(2), { tag: flow.tag('P') })
  let factY = ruleY + mm(2)
  for (const fact of facts) factY += layFact(flow, fact, right - FACTS_WIDTH, factY)
  flow.y = Math.max(y, factY, top + mm(30)) + mm(6)
}

/** A label and its value beside it; answers the height. */
function layFact(flow: Flow, [label, value]: Fact, x: number, y: number): number {
  const lines = wrapText(flow.fonts, value, STYLES.bodyStrong, FACTS_WIDTH - FACT_LABEL)
  const labels = wrapText(flow.fonts, label, STYLES.label, FACT_LABEL - mm(2))
  const tag = flow.tag('P')
  flow.lines(labels, STYLES.label, x, y, { tag })
  flow.lines(lines, STYLES.bodyStrong, x + FACT_LABEL, y, { tag })
  return Math.max(lines.length, labels.length) * STYLES.body.leading
}

/** Beside each other while there is room; one that is too long for a line is wrapped. */
function layFacts(flow: Flow, { facts }: FactsBlock): void {
  const { left, right } = flow.sheet
  let x = left
  for (const [label, value] of facts) {
    const labelWidth = widthOf(flow.fonts, cleanText(label), STYLES.label) + mm(1.5)
    const lines = wrapText(flow.fonts, value, STYLES.body, flow.width - labelWidth)
    const width = labelWidth + Math.max(0, ...lines.map((line) => widthOf(flow.fonts, line, STYLES.body)))
    if (x > left && x + width > right) {
      x = left
      flow.y += STYLES.body.leading
    }
    flow.need(lines.length * STYLES.body.leading)
    const tag = flow.tag('P')
    flow.line(cleanText(label), STYLES.label, x, flow.y, { tag })
    flow.lines(lines, STYLES.body, x + labelWidth, flow.y, { tag })
    if (lines.length > 1) flow.y += (lines.length - 1) * STYLES.body.leading
    x = lines.length > 1 ? right : x + width + mm(8)
  }
  if (facts.length > 0) flow.y += STYLES.body.leading
  flow.space(mm(3.5))
}

const FIELD_LABEL = mm(38)
const FIELD_GAP = mm(10)
const FIELD_PAD = mm(0.9)

/** Two columns; what takes more than a few lines there has the whole width, below the others. */
function* layFields(flow: Flow, { facts }: FieldsBlock): Generator<void> {
  const width = (flow.width - FIELD_GAP) / 2
  const valueWidth = width - FIELD_LABEL
  const isLong = ([, value]: Fact) =>
    value.length > 400 || wrapText(flow.fonts, value, STYLES.body, valueWidth).length > 4
  const short = facts.filter((fact) => !isLong(fact))
  for (let i = 0; i < short.length; i += 2) {
    const pair = short.slice(i, i + 2).map(([label, value]) => ({
      labels: wrapText(flow.fonts, label, STYLES.label, FIELD_LABEL - mm(3)),
      lines: wrapText(flow.fonts, value === '' ? '–' : value, STYLES.body, valueWidth),
    }))
    const height =
      Math.max(...pair.map(({ labels, lines }) => Math.max(labels.length, lines.length))) * STYLES.body.leading +
      2 * FIELD_PAD
    flow.need(height)
    for (const [column, { labels, lines }] of pair.entries()) {
      const x = flow.sheet.left + column * (width + FIELD_GAP)
      const tag = flow.tag('P')
      flow.lines(labels, STYLES.label, x, flow.y + FIELD_PAD, { tag })
      flow.lines(lines, STYLES.body, x + FIELD_LABEL, flow.y + FIELD_PAD, { tag })
      flow.add({ kind: 'rule', x, y: flow.y + height, width, thickness: 0.25, color: RULE })
    }
    flow.y += height
    if (i % 50 === 48) yield
  }
  for (const [heading, text] of facts.filter(isLong)) {
    flow.space(mm(4))
    layText(flow, { kind: 'text', heading, text })
    yield
  }
  flow.space(mm(4))
}

function layText(flow: Flow, { heading, text }: TextBlock): void {
  if (text === '') return
  if (heading !== '') {
    flow.space(mm(3))
    layHeading(flow, heading)
  }
  flow.paragraph(text, STYLES.body, { width: Math.min(flow.width, mm(150)), tag: flow.tag('P') })
  flow.space(mm(5))
}

const SUM_WIDTH = mm(76)
const SUM_PAD = mm(0.6)

const SUM_ROW = STYLES.body.leading + 2 * SUM_PAD
const GRAND_TOTAL = STYLES.grandTotal.leading + mm(3)
const SUM_SPACE = mm(4)

/** The height of a sum with the space above it. */
export const sumHeight = ({ facts }: SumBlock): number => SUM_SPACE + facts.length * SUM_ROW + GRAND_TOTAL + mm(2)

function laySum(flow: Flow, sum: SumBlock): void {
  const { note, facts, total } = sum
  const { left, right } = flow.sheet
  const [row, grand] = [SUM_ROW, GRAND_TOTAL]
  flow.space(SUM_SPACE)
  // A sum is not split over two pages.
  flow.need(sumHeight(sum) - SUM_SPACE)
  const top = flow.y
  const lines = wrapText(flow.fonts, note, STYLES.note, Math.min(mm(72), flow.width - SUM_WIDTH - mm(12)))
  const noteEnd = flow.lines(lines, STYLES.note, left, top, { tag: flow.tag('P') })
  let y = top
  const pair = ([label, value]: Fact, isTotal: boolean) => {
    const tag = flow.tag('P')
    const [name, figure] = isTotal ? [STYLES.grandTotal, STYLES.grandTotal] : [STYLES.label, STYLES.body]
    flow.line(cleanText(label), name, right - SUM_WIDTH, y + SUM_PAD, { tag })
    flow.line(cleanText(value), figure, right, y + SUM_PAD, { tag, align: 'end' })
  }
  for (const fact of facts) {
    pair(fact, false)
    y += row
  }
  y += mm(1)
  flow.add({ kind: 'rule', x: right - SUM_WIDTH, y, width: SUM_WIDTH, thickness: 0.6, color: INK })
  y += mm(1.5)
  pair(total, true)
  flow.y = Math.max(y + grand, noteEnd)
  flow.space(mm(4))
}

const SIGN_PAD = mm(5)
const SIGN_ROOM = mm(15)

function laySign(flow: Flow, { heading, text, places }: SignBlock): void {
  const { left } = flow.sheet
  const inner = flow.width - 2 * SIGN_PAD
  const lines = wrapText(flow.fonts, text, STYLES.body, inner)
  const height =
    2 * SIGN_PAD +
    STYLES.heading.leading +
    lines.length * STYLES.body.leading +
    SIGN_ROOM +
    STYLES.details.leading +
    mm(1)
  flow.space(mm(4))
  flow.need(height)
  flow.add({ kind: 'area', x: left, y: flow.y, width: flow.width, height, fill: null, border: MUTED })
  let y = flow.y + SIGN_PAD
  flow.line(heading, STYLES.heading, left + SIGN_PAD, y, { tag: flow.tag('H2') })
  y += STYLES.heading.leading
  y = flow.lines(lines, STYLES.body, left + SIGN_PAD, y, { tag: flow.tag('P') }) + SIGN_ROOM
  const gap = mm(8)
  const width = (inner - gap * (places.length - 1)) / places.length
  for (const [i, place] of places.entries()) {
    const x = left + SIGN_PAD + i * (width + gap)
    flow.add({ kind: 'rule', x, y, width, thickness: 0.5, color: INK })
    flow.line(place, STYLES.details, x, y + mm(1), { tag: flow.tag('P') })
  }
  flow.y += height + mm(5)
}
