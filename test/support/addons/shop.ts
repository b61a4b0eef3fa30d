import { defineModel, extendModel, type FieldsOf, field } from '#kernel'
import { type Addon, type AddonOptions, defineAddon } from '../../../kernel/module/addon.ts'

/** A small addon in code alone, for tests of installing, updating and removing: two models, a link, a column on partners. */
export const shopItem = defineModel('shop.item', {
  label: 'Item',
  order: 'name',
  fields: {
    name: field.char({ required: true, unique: true }),
    price: field.monetary({ default: 1 }),
    supplier_id: field.many2one('core.partner', { required: true }),
    alternative_id: field.many2one('shop.item'),
    tag_ids: field.many2many('core.tag'),
    currency_id: field.many2one('core.currency'),
  },
})

export const shopPartner = extendModel('core.partner', {
  fields: {
    shop_code: field.char({ unique: true }),
    item_ids: field.one2many('shop.item', 'supplier_id'),
    favourite_id: field.many2one('shop.item'),
  },
})

declare module '#kernel' {
  interface Models {
    'shop.item': ShopItem
  }
  interface ShopItem extends FieldsOf<typeof shopItem> {}
  interface CorePartner extends FieldsOf<typeof shopPartner> {}
}

export const SHOP_DATA = `<data>
  <record id="supplier" model="core.partner">
    <field name="name">Supplier</field>
    <field name="shop_code">S1</field>
  </record>
  <record id="tag_fresh" model="core.tag"><field name="name">Fresh</field></record>
  <record id="apple" model="shop.item">
    <field name="name">Apple</field>
    <field name="price">2.5</field>
    <field name="supplier_id" ref="supplier"/>
    <field name="tag_ids" ref="tag_fresh"/>
  </record>
  <record id="pear" model="shop.item">
    <field name="name">Pear</field>
    <field name="supplier_id" ref="supplier"/>
    <field name="alternative_id" ref="apple"/>
  </record>
  <action id="action_items" name="Items" model="shop.item" view_modes="list,form"/>
  <menu id="menu_shop" name="Shop" sequence="30"/>
  <menu id="menu_items" name="Items" parent="menu_shop" action="action_items"/>
</data>`

export const shop = (options: Partial<AddonOptions> = {}): Addon =>
  defineAddon({
    name: 'shop',
    version: '1.0',
    summary: 'A shop',
    application: true,
    depends: ['base'],
    models: [shopItem, shopPartner],
    data: [
      {
        name: 'security/access.csv',
        text: 'id,model,group,read,write,create,unlink\naccess_item,shop.item,base.group_user,1,1,1,0\n',
      },
      { name: 'data/shop.xml', text: SHOP_DATA },
    ],
    ...options,
  })
