import type { Env } from '#kernel'

/** Lines that sell nothing: a section, whose heading shows the sum of the lines below it, and a note. */
export const LINE_KINDS = { section: 'Section', note: 'Note' } as const

export interface KindOfLine {
  readonly display_type: keyof typeof LINE_KINDS | null
  readonly name: string | null
  readonly product_id: number | null
  readonly uom_id: number | null
  readonly quantity: number
  readonly price_unit: number | null
  readonly discount: number
  readonly tax_ids: readonly number[]
}

/** Problems of a line: a section or note needs a text and no product values; every other line needs what it sells. */
export function kindProblems(
  { t }: Env,
  line: KindOfLine,
): { readonly display_type?: string; readonly name?: string } | undefined {
  const hasText = !!line.name?.trim()
  if (line.display_type === null)
    return hasText || line.product_id !== null ? undefined : { name: t('A line needs a product or a description.') }
  const sold = [line.product_id, line.uom_id, line.quantity, line.price_unit, line.discount, line.tax_ids.length]
  if (sold.some(Boolean))
    return { display_type: t('A section or a note has no product, quantity, unit, price, discount or tax.') }
  return hasText ? undefined : { name: t('A section or a note has a text.') }
}
