import { byId, type Env, invalid, type OnchangeResult, roundToFactor } from '#kernel'
import { pricesOf } from '../../product/models/price-of.ts'
import { convertPrice, convertQuantity, isConvertible, type Unit } from '../../product/models/product-uom.ts'
import { customerLanguages, productTexts } from './line-text.ts'

/** Everything that the price of a line depends on. */
export interface OfferRequest {
  readonly product_id: number
  readonly quantity: number | null
  readonly uom_id: number | null
  readonly pricelist_id: number | null
  readonly currency_id: number | null
  readonly company_id: number | null
  readonly date_order: string | null
  /** The customer, who reads the description. */
  readonly partner_id: number | null
}

export interface Offer {
  readonly values: {
    readonly name: string
    readonly uom_id: number | null
    readonly price_unit: number
    readonly tax_ids: number[]
  }
  readonly warnings: NonNullable<OnchangeResult['warnings']>
}

/** The offer for one line; see `offersOf`. */
export async function offerOf(env: Env, request: OfferRequest): Promise<Offer> {
  const [offer] = await offersOf(env, [request])
  return offer!
}

/**
 * Description, unit, price and taxes of lines for products, as their price lists have them. The number of statements does not
 * depend on the number of lines.
 */
export async function offersOf(env: Env, requests: readonly OfferRequest[]): Promise<readonly Offer[]> {
  const products = await readById(
    requests.map((request) => request.product_id),
    (ids) => env.model('product.product').read(ids, PRODUCT_FIELDS),
  )
  const own = (request: OfferRequest) => products.get(request.product_id)!.uom_id?.[0] ?? null
  const units = await readById(
    requests.flatMap((request) => [own(request), request.uom_id]),
    (ids) => env.model('product.uom').read(ids, ['category_id', 'factor', 'rounding']),
  )
  const currencies = await readById(
    requests.map((request) => request.currency_id),
    (ids) => env.model('core.currency').read(ids, ['rounding']),
  )
  const taxes = await readById(
    [...products.values()].flatMap((product) => product.tax_ids),
    (ids) => env.model('sale.tax').searchRead([['id', 'in', ids]], ['company_id']),
  )
  const languages = await customerLanguages(
    env,
    requests.map((request) => request.partner_id),
  )
  const read = requests.map(({ product_id, partner_id }) => ({ product_id, lang: languages(partner_id) }))
  const textIn = await productTexts(env, read)
  const conversions = requests.map((request) => conversionOf(env, units, own(request), request))
  const prices = await listedPrices(env, requests, products, conversions)
  return requests.map((request, index) => {
    const product = products.get(request.product_id)!
    const price = prices[index] ?? null
    const rounding = request.currency_id === null ? null : currencies.get(request.currency_id)!.rounding
    const perUnit = price === null ? 0 : conversions[index]!.perUnit(price)
    return {
      values: {
        name: textIn(read[index]!) ?? product.name,
        uom_id: request.uom_id ?? own(request),
        price_unit: rounding === null ? perUnit : roundToFactor(perUnit, rounding),
        // Only taxes of the company of the order, or of all companies.
        tax_ids: [...taxes.values()]
          .filter(({ id, company_id }) => product.tax_ids.includes(id) && isFor(company_id, request.company_id))
          .map(({ id }) => id),
      },
      warnings: price === null ? [noPrice(env, product.name)] : [],
    }
  })
}

const PRODUCT_FIELDS = ['name', 'uom_id', 'list_price', 'currency_id', 'tax_ids'] as const

const isFor = (company: readonly [number, string | null] | null, wanted: number | null): boolean =>
  company === null || company[0] === wanted

const noPrice = (env: Env, product: string) => ({
  field: 'price_unit',
  title: env.t('No price'),
  message: env.t('{product} has no price in this currency.', { product }),
})

/** Reads the records with these ids in one call, none if there are none. */
async function readById<T extends { readonly id: number }>(
  ids: readonly (number | null)[],
  read: (ids: readonly number[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<number, T>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  return byId(known.length === 0 ? [] : await read(known))
}

interface Conversion {
  /** The quantity in the product's own unit. */
  readonly counted: number
  /** A price per own unit as a price per unit of the line. */
  readonly perUnit: (price: number) => number
}

function conversionOf(
  env: Env,
  units: ReadonlyMap<number, Unit>,
  own: number | null,
  request: OfferRequest,
): Conversion {
  const [ownUnit, unit] = [units.get(own ?? 0), units.get(request.uom_id ?? own ?? 0)]
  const quantity = request.quantity ?? 1
  if (!ownUnit || !unit) return { counted: quantity, perUnit: (price) => price }
  if (!isConvertible(ownUnit, unit)) {
    throw invalid('check_failed', { uom_id: env.t('These units do not convert into each other.') })
  }
  return {
    counted: convertQuantity(quantity, unit, ownUnit),
    perUnit: (price) => convertPrice(price, ownUnit, unit),
  }
}

interface Listed {
  readonly list_price: number
  readonly currency_id: readonly [number, string | null]
}

/** For each request the price per unit of the product, null if there is none in the currency. */
async function listedPrices(
  env: Env,
  requests: readonly OfferRequest[],
  products: ReadonlyMap<number, Listed>,
  conversions: readonly Conversion[],
): Promise<readonly (number | null)[]> {
  const listed = requests.flatMap(({ pricelist_id, product_id, date_order }, index) => {
    if (pricelist_id === null) return []
    const date = (date_order ?? env.now.toISOString()).slice(0, 10)
    const price = { pricelistId: pricelist_id, productId: product_id, quantity: conversions[index]!.counted, date }
    return [{ index, price }]
  })
  const prices = await pricesOf(
    env,
    listed.map(({ price }) => price),
  )
  const byIndex = new Map(listed.map(({ index }, at) => [index, prices[at] ?? null]))
  return requests.map(({ product_id, currency_id }, index) => {
    if (byIndex.has(index)) return byIndex.get(index) ?? null
    const product = products.get(product_id)!
    const isSame = currency_id === null || currency_id === product.currency_id[0]
    return isSame ? product.list_price : null
  })
}
