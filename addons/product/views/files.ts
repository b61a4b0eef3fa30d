import actions from './actions.xml'
import menus from './menus.xml'
import productCategoryForm from './product-category-form.xml'
import productCategoryList from './product-category-list.xml'
import productPricelistForm from './product-pricelist-form.xml'
import productPricelistList from './product-pricelist-list.xml'
import productProductForm from './product-product-form.xml'
import productProductGraph from './product-product-graph.xml'
import productProductKanban from './product-product-kanban.xml'
import productProductList from './product-product-list.xml'
import productProductPivot from './product-product-pivot.xml'
import productProductSearch from './product-product-search.xml'
import productUomCategoryList from './product-uom-category-list.xml'
import productUomList from './product-uom-list.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/product-category-form.xml', text: productCategoryForm },
  { name: 'views/product-category-list.xml', text: productCategoryList },
  { name: 'views/product-pricelist-form.xml', text: productPricelistForm },
  { name: 'views/product-pricelist-list.xml', text: productPricelistList },
  { name: 'views/product-product-form.xml', text: productProductForm },
  { name: 'views/product-product-graph.xml', text: productProductGraph },
  { name: 'views/product-product-kanban.xml', text: productProductKanban },
  { name: 'views/product-product-list.xml', text: productProductList },
  { name: 'views/product-product-pivot.xml', text: productProductPivot },
  { name: 'views/product-product-search.xml', text: productProductSearch },
  { name: 'views/product-uom-category-list.xml', text: productUomCategoryList },
  { name: 'views/product-uom-list.xml', text: productUomList },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
