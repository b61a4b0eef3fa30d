import { byId, type Env, isLanguage } from '#kernel'

interface Named {
  readonly name: string
  readonly description: string | null
}

/** The text that the service writes about a product on a line. */
const textOf = ({ name, description }: Named): string => (description === null ? name : `${name}\n${description}`)

/** The language of each customer; that of the caller where there is none. */
export async function customerLanguages(
  env: Env,
  partnerIds: readonly (number | null)[],
): Promise<(partnerId: number | null) => string> {
  const known = [...new Set(partnerIds.filter((id) => id !== null))]
  const kernel = env.sudo('in which language a customer reads is no secret to who writes to them', {
    beyondScope: true,
  })
  const partners = byId(known.length === 0 ? [] : await kernel.model('core.partner').read(known, ['lang']))
  return (id) => languageOr(env, partners.get(id ?? 0)?.lang ?? null)
}

const languageOr = (env: Env, lang: string | null): string => (lang !== null && isLanguage(lang) ? lang : env.lang)

interface Wanted {
  readonly product_id: number
  readonly lang: string
}

/** Names and descriptions of products that the caller may see, in the languages wanted: one statement per language. */
async function namesOf(env: Env, wanted: readonly Wanted[]): Promise<(wanted: Wanted) => Named | undefined> {
  const names = new Map<string, ReadonlyMap<number, Named>>()
  for (const lang of new Set(wanted.map((each) => each.lang))) {
    const ids = new Set(wanted.filter((each) => each.lang === lang).map(({ product_id }) => product_id))
    const products = env.inLanguage(lang).model('product.product')
    const found = await products.searchRead([['id', 'in', [...ids]]], ['name', 'description'], { archived: 'include' })
    names.set(lang, byId(found))
  }
  return ({ product_id, lang }) => names.get(lang)?.get(product_id)
}

/** The texts that the service writes about products, in the wanted languages. */
export async function productTexts(
  env: Env,
  wanted: readonly Wanted[],
): Promise<(wanted: Wanted) => string | undefined> {
  const named = await namesOf(env, wanted)
  return (each) => {
    const found = named(each)
    return found && textOf(found)
  }
}

interface LineOfCustomer {
  readonly id: number
  readonly product_id: number | null
  readonly order_id: { readonly partner_id: { readonly lang: string | null } | null } | null
}

/** The names of the products of lines as their customers read them. */
export async function customerNames(
  env: Env,
  lines: readonly LineOfCustomer[],
): Promise<ReadonlyMap<number, string | null>> {
  const wanted = lines.flatMap(({ id, product_id, order_id }) =>
    product_id === null ? [] : [{ id, product_id, lang: languageOr(env, order_id?.partner_id?.lang ?? null) }],
  )
  const named = await namesOf(env, wanted)
  return new Map(wanted.map((each) => [each.id, named(each)?.name ?? null]))
}

interface WrittenLine {
  readonly id: number
  readonly product_id: number | null
  readonly name: string | null
}

/** For lines whose text is still the one the service wrote, in any language: that text in the language of the customer. */
export async function textsForCustomer(
  env: Env,
  lines: readonly WrittenLine[],
  partnerId: number,
): Promise<ReadonlyMap<number, { readonly name: string }>> {
  const sold = lines.flatMap(({ id, product_id, name }) => (product_id === null ? [] : [{ id, product_id, name }]))
  if (sold.length === 0) return new Map()
  const lang = (await customerLanguages(env, [partnerId]))(partnerId)
  const known = ['en', ...env.registry.model('product.product')!.fields.get('name')!.languages]
  const wanted = [...new Set([...known, lang])].flatMap((each) => sold.map((line) => ({ ...line, lang: each })))
  const text = await productTexts(env, wanted)
  return new Map(
    sold.flatMap(({ id, product_id, name }) => {
      const own = text({ product_id, lang })
      const isOurs = known.some((each) => text({ product_id, lang: each }) === name)
      return own !== undefined && own !== name && isOurs ? [[id, { name: own }] as const] : []
    }),
  )
}
