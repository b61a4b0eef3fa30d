import { byId, type Env, multiplyMoney, type Row, roundToFactor, sumMoney } from '#kernel'

const ITEM_FIELDS = [
  'pricelist_id',
  'product_id',
  'category_id',
  'min_quantity',
  'date_start',
  'date_end',
  'kind',
  'percent',
  'fixed_price',
] as const
type Item = Row<'product.pricelist.item', (typeof ITEM_FIELDS)[number]>

export interface PriceRequest {
  readonly pricelistId: number
  readonly productId: number
  readonly quantity: number
  readonly date: string
}

/** The price for one request; see `pricesOf`. */
export async function priceOf(
  env: Env,
  pricelistId: number,
  productId: number,
  quantity: number,
  date: string,
): Promise<number | null> {
  const [price] = await pricesOf(env, [{ pricelistId, productId, quantity, date }])
  return price ?? null
}

/**
 * For each request the price of one unit (the product's own) in the currency of the price list, for a quantity on a day. The most
 * specific price counts: one for the product before one for its category, the nearest category first, before one for everything;
 * among those the one for the highest quantity reached. Without any it is the sales price. Null: the price list is in another
 * currency than the product and has no fixed price for it. The number of statements does not depend on the number of requests.
 */
export async function pricesOf(env: Env, requests: readonly PriceRequest[]): Promise<readonly (number | null)[]> {
  if (requests.length === 0) return []
  const productIds = [...new Set(requests.map(({ productId }) => productId))]
  const listIds = [...new Set(requests.map(({ pricelistId }) => pricelistId))]
  const products = byId(
    await env.model('product.product').read(productIds, ['category_id', 'list_price', 'currency_id']),
  )
  const lists = byId(await env.model('product.pricelist').read(listIds, ['currency_id']))
  const parents = await parentsOf(
    env,
    [...products.values()].flatMap(({ category_id }) => category_id?.[0] ?? []),
  )
  const items = await env
    .model('product.pricelist.item')
    .searchRead(
      [
        ['pricelist_id', 'in', listIds],
        '|',
        ['product_id', 'in', productIds],
        '&',
        ['product_id', '=', null],
        '|',
        ['category_id', '=', null],
        ['category_id', 'in', [...parents.keys()]],
      ],
      ITEM_FIELDS,
    )
  const currencies = byId(
    await env
      .sudo('prices are rounded for everybody', { beyondScope: true })
      .model('core.currency')
      .read([...new Set([...lists.values()].map(({ currency_id }) => currency_id[0]))], ['rounding']),
  )
  const byTarget = new Map<string, Item[]>()
  for (const item of items) {
    const prices = byTarget.get(targetOf(item))
    if (prices) prices.push(item)
    else byTarget.set(targetOf(item), [item])
  }
  return requests.map((request) => {
    const [product, list] = [products.get(request.productId), lists.get(request.pricelistId)]
    if (!product || !list) return null
    const targets = [
      `product ${request.productId}`,
      ...categoriesAbove(parents, product.category_id?.[0]).map((id) => `category ${id}`),
      'everything',
    ]
    const best = nearest(request, targets, byTarget)
    if (best?.kind === 'fixed') return best.fixed_price
    if (product.currency_id[0] !== list.currency_id[0]) return null
    const { rounding } = currencies.get(list.currency_id[0])!
    return roundToFactor(discounted(product.list_price, best?.percent ?? 0), rounding)
  })
}

/** The product or category that a price item is for. */
function targetOf({ product_id, category_id }: Item): string {
  if (product_id !== null) return `product ${product_id[0]}`
  return category_id === null ? 'everything' : `category ${category_id[0]}`
}

/** The price for the first of the targets that has one in this list for the quantity and the day. */
function nearest(
  { pricelistId, quantity, date }: PriceRequest,
  targets: readonly string[],
  byTarget: ReadonlyMap<string, readonly Item[]>,
): Item | undefined {
  for (const target of targets) {
    const [best] = (byTarget.get(target) ?? [])
      .filter(
        (item) =>
          item.pricelist_id[0] === pricelistId &&
          item.min_quantity <= quantity &&
          (item.date_start ?? date) <= date &&
          (item.date_end ?? date) >= date,
      )
      .toSorted((a, b) => b.min_quantity - a.min_quantity || b.id - a.id)
    if (best) return best
  }
  return undefined
}

/** A price reduced by a percentage, exactly. */
export const discounted = (price: number, percent: number): number =>
  multiplyMoney(price, sumMoney([100, -percent]), 0.01)

type Parents = ReadonlyMap<number, number | undefined>

/** The category above each of these categories and of those above them. */
async function parentsOf(env: Env, categories: readonly number[]): Promise<Parents> {
  if (categories.length === 0) return new Map()
  const wanted = [...new Set(categories)]
  const rows = await env.model('product.category').searchRead([['id', 'parent_of', wanted]], ['parent_id'])
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id?.[0]]))
}

/** The category and those above it, nearest first. */
function categoriesAbove(parents: Parents, category: number | undefined): readonly number[] {
  const found: number[] = []
  for (let at = category; at !== undefined && !found.includes(at); at = parents.get(at)) found.push(at)
  return found
}
