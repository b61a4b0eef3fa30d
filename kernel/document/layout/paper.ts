import type { PaperSize } from '../content.ts'

/** All lengths are points: 72 to the inch. */
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4

/** Width and height upright. */
const PAPER: Readonly<Record<PaperSize, readonly [number, number]>> = {
  a4: [mm(210), mm(297)],
  legal: [612, 1008],
  letter: [612, 792],
}

/** A sheet and the area between its margins. Places are counted from the upper left corner. */
export interface PaperSheet {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  /** Where the text area ends; the footer stands below. */
  readonly bottom: number
}

interface Margins {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const LETTER: Margins = { top: mm(16), right: mm(18), bottom: mm(36), left: mm(22) }
const REPORT: Margins = { top: mm(13), right: mm(15), bottom: mm(21), left: mm(15) }

export function paperSheet(paper: PaperSize, isLandscape: boolean, isLetter: boolean): PaperSheet {
  const [short, long] = PAPER[paper]
  const [width, height] = isLandscape ? [long, short] : [short, long]
  const { top, right, bottom, left } = isLetter ? LETTER : REPORT
  return { width, height, left, right: width - right, top, bottom: height - bottom }
}
