import type { TextMeasure } from '../font/font-set.ts'
import type { Box, DrawnPage, Tag, TextBox, TextStyle } from './box.ts'
import type { PaperSheet } from './paper.ts'
import { baseline } from './style.ts'
import { widthOf, wrapText } from './wrap.ts'

/** Pages that fill from the top. Blocks ask for room, and go on with the next page where there is none. */
export class Flow {
  readonly fonts: TextMeasure
  readonly sheet: PaperSheet
  readonly pages: DrawnPage[] = []
  /** Where the next block begins. */
  y = 0
  readonly #openPage: (page: DrawnPage, isFirst: boolean) => number
  #tags = 0

  /** `openPage` draws the top of every page and returns where its text begins. */
  constructor(fonts: TextMeasure, sheet: PaperSheet, openPage: (page: DrawnPage, isFirst: boolean) => number) {
    this.fonts = fonts
    this.sheet = sheet
    this.#openPage = openPage
    this.breakPage()
  }

  get width(): number {
    return this.sheet.right - this.sheet.left
  }

  get room(): number {
    return this.sheet.bottom - this.y
  }

  breakPage(): void {
    const page: DrawnPage = { sheet: this.sheet, boxes: [] }
    this.pages.push(page)
    this.y = this.#openPage(page, this.pages.length === 1)
  }

  /** Goes on with the next page if there is less room than that on this one. */
  need(height: number): void {
    if (height > this.room) this.breakPage()
  }

  /** Space between blocks; none at the top of a page. */
  space(height: number): void {
    this.y = Math.min(this.y + height, this.sheet.bottom)
  }

  add(...boxes: readonly Box[]): void {
    this.pages.at(-1)!.boxes.push(...boxes)
  }

  tag(role: 'H1' | 'H2' | 'P'): Tag {
    return { role, nth: this.#tags++ }
  }

  /** A number for a table, by which its cells find each other. */
  nextTable(): number {
    return this.#tags++
  }

  /** One line at a place of the page. */
  line(text: string, style: TextStyle, x: number, top: number, options: LineOptions = {}): void {
    this.add(lineBox(this.fonts, text, style, x, top, options))
  }

  /** Lines below each other at a place of the page; answers where they end. */
  lines(lines: readonly string[], style: TextStyle, x: number, top: number, options: LineOptions = {}): number {
    for (const [i, line] of lines.entries()) this.line(line, style, x, top + i * style.leading, options)
    return top + lines.length * style.leading
  }

  /** Wrapped text from here on, over as many pages as it takes. */
  paragraph(text: string, style: TextStyle, { width = this.width, tag }: ParagraphOptions = {}): void {
    for (const line of wrapText(this.fonts, text, style, width)) {
      this.need(style.leading)
      this.line(line, style, this.sheet.left, this.y, { tag })
      this.y += style.leading
    }
  }
}

interface ParagraphOptions {
  readonly width?: number
  readonly tag?: Tag | undefined
}

interface LineOptions {
  /** `end`: `x` is where the line ends. */
  readonly align?: 'start' | 'end'
  readonly tag?: Tag | undefined
}

/** A line whose upper edge is at `top`. */
export const lineBox = (
  fonts: TextMeasure,
  text: string,
  style: TextStyle,
  x: number,
  top: number,
  { align = 'start', tag }: LineOptions = {},
): TextBox => ({
  kind: 'text',
  text,
  style,
  x: align === 'end' ? x - widthOf(fonts, text, style) : x,
  y: top + baseline(style),
  ...(tag && { tag }),
})
