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
      if (changed.has('name') || changed.has('parent_id')) await nameInFull(env, ids)
    },
  },
})

/** Writes the full names of categories and everything below them. */
async function nameInFull(env: Env, ids: readonly number[]): Promise<void> {
  const categories = env
    .sudo('full names follow the categories above, also those the caller does not see', { beyondScope: true })
    .model('product.category')
  const fields = ['name', 'complete_name', 'parent_id'] as const
  const above = await categories.searchRead([['id', 'parent_of', ids]], fields)
  const below = await categories.searchRead([['id', 'child_of', ids]], fields)
  const known = byId([...above, ...below])
  const fullName = (id: number): string => {
    const { name, parent_id } = known.get(id)!
    return parent_id === null ? name : `${fullName(parent_id[0])} / ${name}`
  }
  const renamed = below.filter(({ id, complete_name }) => fullName(id) !== complete_name)
  await categories.writeEach(new Map(renamed.map(({ id }) => [id, { complete_name: fullName(id) }])))
}
