import { behavior, byId, defineModel, type Env, type FieldsOf, field } from '#kernel'

export const productCategory = defineModel('product.category', {
  label: 'Product Category',
  order: 'complete_name',
  displayName: 'complete_name',
  searchFields: ['complete_name'],
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    complete_name: field.char({
      label: 'Full Name',
      translate: true,
      readonly: true,
      copy: false,
      help: 'With the names of the categories above.',
    }),
    parent_id: field.many2one('product.category', { label: 'Parent Category', ondelete: 'restrict', index: true }),
    child_ids: field.one2many('product.category', 'parent_id', { label: 'Subcategories' }),
    product_ids: field.one2many('product.product', 'category_id', { label: 'Products' }),
  },
})

declare module '#kernel' {
  interface Models {
    'product.category': ProductCategory
  }
  interface ProductCategory extends FieldsOf<typeof productCategory> {}
}

export const productCategoryBehavior = behavior('product.category', {
  events: {
    created: nameInFull,
    async updated(env, ids, changed) {
      if ([...changed].some((name) => name === 'parent_id' || /^name(@|$)/.test(name))) await nameInFull(env, ids)
    },
  },
})

/** Writes the full names of categories and everything below them, in every language. */
export async function nameInFull(env: Env, ids: readonly number[]): Promise<void> {
  const kernel = env.sudo('full names follow the categories above, also those the caller does not see', {
    beyondScope: true,
  })
  const languages = env.registry.model('product.category')!.fields.get('complete_name')!.languages
  const names = new Map<number, Record<string, string>>()
  for (const lang of ['en', ...languages])
    for (const [id, name] of await newFullNames(kernel.inLanguage(lang), ids)) {
      const field = lang === 'en' ? 'complete_name' : `complete_name@${lang}`
      names.set(id, { ...names.get(id), [field]: name })
    }
  await kernel.inLanguage('en').model('product.category').writeEach(names)
}

/** Full names, in the language of `env`, that differ from those that are stored. */
async function newFullNames(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const categories = env.model('product.category')
  const fields = ['name', 'complete_name', 'parent_id'] as const
  const above = await categories.searchRead([['id', 'parent_of', ids]], fields)
  const below = await categories.searchRead([['id', 'child_of', ids]], fields)
  const known = byId([...above, ...below])
  const fullName = (id: number): string => {
    const { name, parent_id } = known.get(id)!
    return parent_id === null ? name : `${fullName(parent_id[0])} / ${name}`
  }
  const renamed = below.filter(({ id, complete_name }) => fullName(id) !== complete_name)
  return new Map(renamed.map(({ id }) => [id, fullName(id)]))
}
