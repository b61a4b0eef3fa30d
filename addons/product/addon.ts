import { defineAddon } from '#kernel'
import unitCategories from './data/product.uom.category.csv'
import units from './data/product.uom.csv'
import { withPictures } from './demo/pictures.ts'
import demoProductCategory from './demo/product.category.csv'
import demoProductPricelist from './demo/product.pricelist.csv'
import demoProductProduct from './demo/product.product.csv'
import { german } from './i18n/de.ts'
import { nameInFull, productCategory, productCategoryBehavior } from './models/product-category.ts'
import { productPricelist } from './models/product-pricelist.ts'
import { productPricelistItem, productPricelistItemBehavior } from './models/product-pricelist-item.ts'
import { productProduct } from './models/product-product.ts'
import { productUom } from './models/product-uom.ts'
import { productUomCategory } from './models/product-uom-category.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'product',
  title: 'Products',
  version: '1.5',
  summary: 'Products, units of measure and price lists',
  application: true,
  depends: ['mail'],
  models: [productUomCategory, productUom, productCategory, productProduct, productPricelist, productPricelistItem],
  behaviors: [productCategoryBehavior, productPricelistItemBehavior],
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/product.uom.category.csv', text: unitCategories },
    { name: 'data/product.uom.csv', text: units },
    ...viewFiles,
  ],
  hooks: {
    // Since 1.3 full names are translated.
    updated: async (env) => nameInFull(env, await env.model('product.category').search([])),
  },
  demo: [
    { name: 'demo/product.category.csv', text: demoProductCategory },
    { name: 'demo/product.product.csv', text: withPictures(demoProductProduct) },
    { name: 'demo/product.pricelist.csv', text: demoProductPricelist },
  ],
  translations: { de: german },
})
