import { z } from 'zod'

/** Numbers of forms and queries come as text, those of JSON as numbers. */
export const wholeNumber = (least: number, most: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d{1,10}$/, 'Must be a whole number.')
        .transform(Number),
    ])
    .pipe(z.int().min(least).max(most))

export const recordIdText = wholeNumber(1, 2_147_483_647)

/** A name that other people read: one line with at least one visible character. */
export const visibleLine = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(
      /^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]*[^\p{C}\p{Z}\u2028\u2029][^\p{Cc}\p{Bidi_Control}\u2028\u2029]*$/u,
      'Must be one line of visible text.',
    )

/** One value or several of a name that may be repeated. */
export const oneOrMore = <S extends z.ZodType>(item: S) =>
  z.union([z.array(item).max(100), item.transform((value) => [value])])
