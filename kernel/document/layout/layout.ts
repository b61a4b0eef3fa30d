import type { DocumentContent, TableBlock } from '../content.ts'
import type { TextMeasure } from '../font/font-set.ts'
import { layBlock, sumHeight } from './blocks.ts'
import type { DrawnPage } from './box.ts'
import { columnNeeds, naturalWidth } from './columns.ts'
import { Flow } from './flow.ts'
import { layFooters, layLetterhead } from './header-footer.ts'
import { paperSheet } from './paper.ts'
import { LOOKS } from './table.ts'

/** Where everything of a document stands, page by page. Yields between parts of the work, so that other requests get their turn. */
export function* layDocument(fonts: TextMeasure, content: DocumentContent): Generator<void, readonly DrawnPage[]> {
  const sheet = paperSheet(content.paper, isLandscape(fonts, content), content.letterhead.isLetter)
  const flow = new Flow(fonts, sheet, (page, isFirst) => layLetterhead(fonts, content, page, isFirst))
  for (const [index, block] of content.blocks.entries()) {
    const next = content.blocks[index + 1]
    yield* layBlock(flow, block, next?.kind === 'sum' ? sumHeight(next) : 0)
    yield
  }
  layFooters(fonts, content, flow.pages)
  return flow.pages
}

/** Whether a table is wider than an upright sheet. */
function isLandscape(fonts: TextMeasure, { paper, orientation, letterhead, blocks }: DocumentContent): boolean {
  if (orientation === 'portrait') return false
  const { left, right } = paperSheet(paper, false, letterhead.isLetter)
  return blocks.some((block) => block.kind === 'table' && isWider(fonts, block, right - left))
}

const isWider = (fonts: TextMeasure, block: TableBlock, width: number): boolean => {
  const { gap, inset } = LOOKS[block.look]
  return naturalWidth(columnNeeds(fonts, block), gap) + 2 * inset > width
}
