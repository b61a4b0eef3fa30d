import type { Values } from './records.ts'

/**
 * A typed text that is no value of its field. In a draft it takes the place of the value: it is kept as it was typed, over a
 * reload too, and no other value is saved instead.
 */
export interface InvalidText {
  readonly typedText: string
  /** Why it is no value. */
  readonly problem: string
  /** The value before it was typed, which everything but the control still shows and computes with. */
  readonly before: unknown
  /** No error is shown while it is being typed. */
  readonly isTyping?: boolean
}

export const isInvalidText = (value: unknown): value is InvalidText =>
  typeof value === 'object' && value !== null && 'typedText' in value

/** The value to show and compute with. */
export const validValueOf = (value: unknown): unknown => (isInvalidText(value) ? value.before : value)

/** The values that can be sent. */
export const withoutInvalidTexts = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isInvalidText(value)))
