import { defineAddon } from '#kernel'
import dashboard from './data/dashboard.xml'
import stages from './data/sale.stage.csv'
import sequences from './data/sequences.xml'
import demoCoreGroup from './demo/core.group.csv'
import demoProductPricelist from './demo/product.pricelist.csv'
import demoSaleOrder from './demo/sale.order.csv'
import demoSaleOrderLine from './demo/sale.order.line.csv'
import demoSaleTag from './demo/sale.tag.csv'
import demoSaleTax from './demo/sale.tax.csv'
import { quotation } from './documents/quotation.ts'
import { german } from './i18n/de.ts'
import { corePartnerSale, corePartnerSaleBehavior } from './models/core-partner.ts'
import { CONFIRMED_STATES } from './models/order-state.ts'
import { productPricelistSale } from './models/product-pricelist.ts'
import { productProductSale, productProductSaleBehavior } from './models/product-product.ts'
import { saleOrder, saleOrderBehavior } from './models/sale-order.ts'
import { saleOrderLine, saleOrderLineBehavior } from './models/sale-order-line.ts'
import { saleStage } from './models/sale-stage.ts'
import { saleTag } from './models/sale-tag.ts'
import { saleTax } from './models/sale-tax.ts'
import { reasons } from './reasons.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'
import { quotationDays, terms } from './settings/new-quotations.ts'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'sale',
  title: 'Sales',
  version: '1.9',
  summary: 'Quotations and sales orders',
  application: true,
  depends: ['contacts', 'mail', 'product'],
  models: [
    saleStage,
    saleTag,
    saleTax,
    saleOrder,
    saleOrderLine,
    corePartnerSale,
    productPricelistSale,
    productProductSale,
  ],
  behaviors: [saleOrderBehavior, saleOrderLineBehavior, corePartnerSaleBehavior, productProductSaleBehavior],
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/sale.stage.csv', text: stages },
    { name: 'data/sequences.xml', text: sequences },
    ...viewFiles,
    { name: 'data/dashboard.xml', text: dashboard },
  ],
  demo: [
    { name: 'demo/core.group.csv', text: demoCoreGroup },
    { name: 'demo/sale.tag.csv', text: demoSaleTag },
    { name: 'demo/sale.tax.csv', text: demoSaleTax },
    { name: 'demo/product.pricelist.csv', text: demoProductPricelist },
    { name: 'demo/sale.order.csv', text: demoSaleOrder },
    { name: 'demo/sale.order.line.csv', text: demoSaleOrderLine },
  ],
  home: {
    steps: [
      {
        sequence: 50,
        label: 'Write the first quotation',
        text: 'For a customer of yours, with products and prices.',
        button: 'New Quotation',
        model: 'sale.order',
        needs: 'create',
        action: 'action_quotations',
        opens: 'new',
      },
    ],
    figures: [
      {
        label: 'Orders this month',
        model: 'sale.order',
        domain: [['state', 'in', CONFIRMED_STATES]],
        measure: 'amount_untaxed',
        date: 'confirmed_at',
        action: 'action_orders',
      },
    ],
  },
  documents: [quotation],
  settings: [quotationDays, terms],
  translations: { de: german },
  reasons,
})
