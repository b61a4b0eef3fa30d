import { type Env, invalid, type OnchangeResult, roundToFactor } from '#kernel'
import { priceOf } from '../../product/models/price-of.ts'
import { convertPrice, convertQuantity, isConvertible, type Unit } from '../../product/models/product-uom.ts'

/** Everything that the price of a line depends on. */
interface OfferRequest {
  readonly product_id: number
  readonly quantity: number | null
  readonly uom_id: number | null
  readonly pricelist_id: number | null
  readonly currency_id: number | null
  readonly company_id: number | null
  readonly date_order: string | null
}

interface Offer {
  readonly values: {
    readonly name: string
    readonly uom_id: number | null
    readonly price_unit: number
    readonly tax_ids: number[]
  }
  readonly warnings: NonNullable<OnchangeResult['warnings']>
}

/** Description, unit, price and taxes of a line for a product, as its price list has them. */
export async function offerOf(env: Env, request: OfferRequest): Promise<Offer> {
  const [product] = await env
    .model('product.product')
    .read([request.product_id], ['name', 'description', 'uom_id', 'list_price', 'currency_id', 'tax_ids'])
  const own = product!.uom_id?.[0] ?? null
  const uom = request.uom_id ?? own
  const [ownUnit, unit] = await readUnits(env, own, uom)
  if (ownUnit && unit && !isConvertible(ownUnit, unit)) {
    throw invalid('check_failed', { uom_id: env.t('These units do not convert into each other.') })
  }
  const quantity = request.quantity ?? 1
  const counted = ownUnit && unit ? convertQuantity(quantity, unit, ownUnit) : quantity
  const price = await listedPrice(env, request, product!, counted)
  const perUnit = ownUnit && unit && price !== null ? convertPrice(price, ownUnit, unit) : price
  return {
    values: {
      name: product!.description === null ? product!.name : `${product!.name}\n${product!.description}`,
      uom_id: uom,
      price_unit: await rounded(env, perUnit ?? 0, request.currency_id),
      tax_ids: await taxesFor(env, product!.tax_ids, request.company_id),
    },
    warnings:
      price === null
        ? [
            {
              field: 'price_unit',
              title: env.t('No price'),
              message: env.t('{product} has no price in this currency.', { product: product!.name }),
            },
          ]
        : [],
  }
}

interface Listed {
  readonly list_price: number
  readonly currency_id: readonly [number, string | null]
}

async function listedPrice(env: Env, request: OfferRequest, product: Listed, quantity: number): Promise<number | null> {
  if (request.pricelist_id !== null) {
    const day = (request.date_order ?? env.now.toISOString()).slice(0, 10)
    return priceOf(env, request.pricelist_id, request.product_id, quantity, day)
  }
  const isSame = request.currency_id === null || request.currency_id === product.currency_id[0]
  return isSame ? product.list_price : null
}

async function readUnits(env: Env, ...ids: readonly (number | null)[]): Promise<readonly (Unit | undefined)[]> {
  const known = ids.filter((id) => id !== null)
  const units = await env.model('product.uom').read([...new Set(known)], ['category_id', 'factor', 'rounding'])
  return ids.map((id) => units.find((unit) => unit.id === id))
}

async function rounded(env: Env, price: number, currencyId: number | null): Promise<number> {
  if (currencyId === null) return price
  const [currency] = await env.model('core.currency').read([currencyId], ['rounding'])
  return roundToFactor(price, currency!.rounding)
}

/** Taxes of the product that belong to the company of the order, or to all. */
async function taxesFor(env: Env, taxes: readonly number[], companyId: number | null): Promise<number[]> {
  return env.model('sale.tax').search([
    ['id', 'in', taxes],
    ['company_id', 'in', [null, companyId]],
  ])
}
