import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { isStorable } from '../model/fields/text.ts'
import { SORT_PATTERN } from './order.ts'

/** A whole number from 0 to 2^53; whether such a record exists is checked later. */
const number = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be a whole number.')
  .transform(Number)

/** An empty parameter counts as missing. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/**
 * Parameters of `GET /web/wc/workspace`. Unknown ones are ignored, because the page uses some of its own, like `msg` after
 * an import.
 */
export const workspaceQuery = z.object({
  action: optional(number),
  menu_id: optional(number),
  /** Which kinds there are depends on the addons. */
  view_type: optional(z.string().max(40, 'Must be the name of a kind of view.')),
  id: optional(number),
  edit: optional(z.enum(['0', '1'], 'Must be 0 or 1.')),
  q: optional(
    z
      .string()
      .max(LIMITS.likeOperandChars, `Must be at most ${LIMITS.likeOperandChars} characters.`)
      .refine(isStorable, 'Contains characters that no record can have.'),
  ),
  model: optional(z.string().max(100, 'Must be the name of a model.')),
  /** If missing, the action's default filters apply; otherwise, even if empty, exactly the named ones. */
  filter: z.string().max(LIMITS.orderChars, `Must be at most ${LIMITS.orderChars} characters.`).optional(),
  sort: optional(z.string().regex(SORT_PATTERN, 'Must be a field, or - and a field.')),
  offset: optional(number.refine((value) => value <= LIMITS.offset, `Must be at most ${LIMITS.offset}.`)),
})

export type WorkspaceQuery = z.output<typeof workspaceQuery>

/** The parameters of a page's address that the workspace knows, unchanged. */
export function pageQuery(url: string): Readonly<Record<string, string>> {
  const { searchParams } = new URL(url)
  const names = Object.keys(workspaceQuery.shape)
  return Object.fromEntries([...searchParams].filter(([name]) => names.includes(name)))
}
