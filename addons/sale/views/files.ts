import actions from './actions.xml'
import corePartnerFormExtension from './core-partner-form-extension.xml'
import corePartnerSearchExtension from './core-partner-search-extension.xml'
import menus from './menus.xml'
import productProductFormExtension from './product-product-form-extension.xml'
import saleOrderCalendar from './sale-order-calendar.xml'
import saleOrderCohort from './sale-order-cohort.xml'
import saleOrderForm from './sale-order-form.xml'
import saleOrderGraph from './sale-order-graph.xml'
import saleOrderKanban from './sale-order-kanban.xml'
import saleOrderLineForm from './sale-order-line-form.xml'
import saleOrderLineGraph from './sale-order-line-graph.xml'
import saleOrderLineList from './sale-order-line-list.xml'
import saleOrderLinePivot from './sale-order-line-pivot.xml'
import saleOrderLineSearch from './sale-order-line-search.xml'
import saleOrderList from './sale-order-list.xml'
import saleOrderPivot from './sale-order-pivot.xml'
import saleOrderSearch from './sale-order-search.xml'
import saleStageList from './sale-stage-list.xml'
import saleTagList from './sale-tag-list.xml'
import saleTaxList from './sale-tax-list.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/sale-order-calendar.xml', text: saleOrderCalendar },
  { name: 'views/sale-order-cohort.xml', text: saleOrderCohort },
  { name: 'views/sale-order-form.xml', text: saleOrderForm },
  { name: 'views/sale-order-graph.xml', text: saleOrderGraph },
  { name: 'views/sale-order-kanban.xml', text: saleOrderKanban },
  { name: 'views/sale-order-line-form.xml', text: saleOrderLineForm },
  { name: 'views/sale-order-line-graph.xml', text: saleOrderLineGraph },
  { name: 'views/sale-order-line-list.xml', text: saleOrderLineList },
  { name: 'views/sale-order-line-pivot.xml', text: saleOrderLinePivot },
  { name: 'views/sale-order-line-search.xml', text: saleOrderLineSearch },
  { name: 'views/sale-order-list.xml', text: saleOrderList },
  { name: 'views/sale-order-pivot.xml', text: saleOrderPivot },
  { name: 'views/sale-order-search.xml', text: saleOrderSearch },
  { name: 'views/sale-stage-list.xml', text: saleStageList },
  { name: 'views/sale-tag-list.xml', text: saleTagList },
  { name: 'views/sale-tax-list.xml', text: saleTaxList },
  { name: 'views/core-partner-form-extension.xml', text: corePartnerFormExtension },
  { name: 'views/core-partner-search-extension.xml', text: corePartnerSearchExtension },
  { name: 'views/product-product-form-extension.xml', text: productProductFormExtension },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
