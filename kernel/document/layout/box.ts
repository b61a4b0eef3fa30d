import type { Weight } from '../font/font-set.ts'
import type { PaperSheet } from './paper.ts'

/** A page as it is drawn. */
export interface DrawnPage {
  readonly sheet: PaperSheet
  readonly boxes: Box[]
}

export type Box = TextBox | RuleBox | AreaBox | LogoBox

/** Red, green and blue, from 0 to 1. */
export type Color = readonly [number, number, number]

export interface TextStyle {
  readonly size: number
  /** From one baseline to the next. */
  readonly leading: number
  readonly weight: Weight
  readonly color: Color
}

export interface TextBox {
  readonly kind: 'text'
  readonly text: string
  readonly style: TextStyle
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  /** What a screen reader announces it as; without a tag it is decoration that repeats on pages. */
  readonly tag?: Tag
}

/** A heading, a paragraph, or a cell of a table. Boxes with the same tag are one. */
export type Tag =
  | { readonly role: 'H1' | 'H2' | 'P'; readonly nth: number }
  | {
      readonly role: 'TH' | 'TD'
      readonly table: number
      readonly row: number
      readonly column: number
      /** How many columns it covers, where that is more than one. */
      readonly span?: number
    }

export interface RuleBox {
  readonly kind: 'rule'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly thickness: number
  readonly color: Color
}

/** A filled area, or the border of one. */
export interface AreaBox {
  readonly kind: 'area'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly fill: Color | null
  readonly border: Color | null
}

/** The picture of the letterhead. */
export interface LogoBox {
  readonly kind: 'logo'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
