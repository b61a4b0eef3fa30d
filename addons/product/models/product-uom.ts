import { defineModel, type Env, type FieldsOf, field, invalid, roundToFactor } from '#kernel'

export const productUom = defineModel('product.uom', {
  label: 'Unit of Measure',
  order: 'category_id, factor, name',
  fields: {
    name: field.char({ required: true, size: 50, translate: true }),
    category_id: field.many2one('product.uom.category', { required: true, index: true }),
    factor: field.float({
      label: 'Ratio',
      required: true,
      default: 1,
      digits: [18, 8],
      help: 'How many reference units one of these is: 12 for a dozen, 0.001 for a gram beside the kilogram.',
    }),
    rounding: field.float({
      label: 'Rounding Factor',
      required: true,
      default: 0.01,
      digits: [12, 6],
      help: 'Converted quantities are multiples of this.',
    }),
    active: field.boolean({ default: true }),
  },
  constraints: {
    name_unique: { unique: ['category_id', 'name'], message: 'This category already has a unit of that name.' },
    factor_positive: { check: 'factor > 0', fields: ['factor'], message: 'The ratio must be above zero.' },
    rounding_positive: {
      check: 'rounding > 0',
      fields: ['rounding'],
      message: 'The rounding factor must be above zero.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'product.uom': ProductUom
  }
  interface ProductUom extends FieldsOf<typeof productUom> {}
}

/** The default unit of a product: the one of this addon, as long as it is active. */
export async function usualUnit(env: Env): Promise<number | null> {
  const all = env.sudo('a default every new product has', { beyondScope: true })
  const [named] = await all.model('sys.xmlid').searchRead(USUAL_UNIT, ['res_id'])
  const [unit] = named ? await all.model('product.uom').search([['id', '=', named.res_id]]) : []
  return unit ?? null
}

const USUAL_UNIT = [
  ['module', '=', 'product'],
  ['name', '=', 'uom_unit'],
] as const

/** The fields of a unit that a conversion needs. */
export interface Unit {
  readonly category_id: readonly [number, string | null]
  readonly factor: number
  readonly rounding: number
}

/** A quantity counted in another unit of the same category: 2 dozen are 24 pieces. */
export function convertQuantity(quantity: number, from: Unit, to: Unit): number {
  return roundToFactor(quantity * ratioOf(from, to), to.rounding)
}

/** Converts a price per unit to another unit of the same category: 10 a piece are 120 a dozen. Not rounded. */
export const convertPrice = (price: number, from: Unit, to: Unit): number => price * ratioOf(to, from)

/** Whether quantities can be converted from one unit to the other. */
export const isConvertible = (from: Unit, to: Unit): boolean => from.category_id[0] === to.category_id[0]

function ratioOf(from: Unit, to: Unit): number {
  if (!isConvertible(from, to)) throw invalid('check_failed', { uom_id: 'These units do not convert into each other.' })
  return from.factor / to.factor
}
