import { type Env, multiplyMoney, type Row, roundToFactor, sumMoney } from '#kernel'

const ITEM_FIELDS = ['product_id', 'category_id', 'min_quantity', 'kind', 'percent', 'fixed_price'] as const
type Item = Row<'product.pricelist.item', (typeof ITEM_FIELDS)[number]>

/**
 * Price of one unit (the product's own) in the currency of the price list, for a quantity on a day. The most specific price
 * counts: one for the product before one for its category, the nearest category first, before one for everything; among those the
 * one for the highest quantity reached. Without any it is the sales price. Null: the price list is in another currency than the
 * product and has no fixed price for it.
 */
export async function priceOf(
  env: Env,
  pricelistId: number,
  productId: number,
  quantity: number,
  date: string,
): Promise<number | null> {
  const [product] = await env.model('product.product').read([productId], ['category_id', 'list_price', 'currency_id'])
  const [pricelist] = await env.model('product.pricelist').read([pricelistId], ['currency_id'])
  if (!product || !pricelist) return null
  const categories = await categoriesAbove(env, product.category_id?.[0])
  const items = await env
    .model('product.pricelist.item')
    .searchRead(
      [
        ['pricelist_id', '=', pricelistId],
        ['min_quantity', '<=', quantity],
        '|',
        ['date_start', '=', null],
        ['date_start', '<=', date],
        '|',
        ['date_end', '=', null],
        ['date_end', '>=', date],
        '|',
        ['product_id', '=', productId],
        '&',
        ['product_id', '=', null],
        '|',
        ['category_id', '=', null],
        ['category_id', 'in', categories],
      ],
      ITEM_FIELDS,
    )
  const [best] = items.toSorted(
    (a, b) => distance(a, categories) - distance(b, categories) || b.min_quantity - a.min_quantity || b.id - a.id,
  )
  if (best?.kind === 'fixed') return best.fixed_price
  if (product.currency_id[0] !== pricelist.currency_id[0]) return null
  const [currency] = await env
    .sudo('prices are rounded for everybody', { beyondScope: true })
    .model('core.currency')
    .read([pricelist.currency_id[0]], ['rounding'])
  return roundToFactor(discounted(product.list_price, best?.percent ?? 0), currency!.rounding)
}

/** A price less so many percent, exactly. */
export const discounted = (price: number, percent: number): number =>
  multiplyMoney(price, sumMoney([100, -percent]), 0.01)

/** The category and those above it, nearest first. */
async function categoriesAbove(env: Env, category: number | undefined): Promise<readonly number[]> {
  const found: number[] = []
  for (let at = category; at !== undefined && !found.includes(at); ) {
    found.push(at)
    const [row] = await env.model('product.category').read([at], ['parent_id'])
    at = row?.parent_id?.[0]
  }
  return found
}

/** How far a price is from the product: 0 for its own, then its categories upwards, last those for everything. */
function distance({ product_id, category_id }: Item, categories: readonly number[]): number {
  if (product_id !== null) return 0
  return 1 + (category_id === null ? categories.length : categories.indexOf(category_id[0]))
}
