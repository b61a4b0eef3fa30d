import type { Values } from '../../kernel/model/models.ts'
import type { BuiltInViewType } from '../../kernel/view/arch/arch.ts'
import type { TestModules } from './modules.ts'

/** Views, actions and menus over the library, by name. */
export interface LibraryViews {
  readonly actions: Readonly<
    Record<'books' | 'available' | 'authors' | 'librarians' | 'rules' | 'loans' | 'places', number>
  >
  readonly menus: Readonly<Record<'library' | 'books' | 'authors' | 'office' | 'stock' | 'empty', number>>
}

const LIST = `<list default_order="title desc">
  <field name="title"/><field name="author_id"/><field name="state"/><field name="pages"/><field name="price"/>
  <field name="purchase_price"/><field name="tag_ids"/>
</list>`

const FORM = `<form><sheet><field name="title"/><field name="author_id"/><field name="purchase_price"/>
  <field name="line_ids"><list><field name="days"/></list></field></sheet></form>`

const KANBAN = `<kanban default_group_by="shelf_id">
  <progressbar field="state" sum_field="pages"/><card><field name="title"/><field name="shelf_id"/></card>
</kanban>`

const SEARCH = `<search>
  <field name="title" filter_domain="['|', ('title', 'ilike', self), ('isbn', 'ilike', self)]"/>
  <field name="author_id"/>
  <filter name="available" string="Available" domain="[('state', '=', 'available')]"/>
  <filter name="ordered" string="Ordered" domain="[('state', '=', 'draft')]"/>
  <separator/>
  <filter name="long" string="Long" domain="[('pages', '>', 240)]"/>
  <filter name="mine" string="Made by me" domain="[('create_uid', '=', uid)]"/>
  <separator/>
  <filter name="dear" string="Dear" domain="[('purchase_price', '>', 10)]"/>
  <filter name="published" string="Published" date="published_on"/>
  <group><filter name="by_author" string="Author" group_by="author_id"/></group>
  <searchpanel><field name="shelf_id"/><field name="state" select="multi"/></searchpanel>
</search>`

const LOANS = {
  calendar: '<calendar date_start="date_loan"><field name="name"/></calendar>',
  gantt: '<gantt date_start="date_loan" date_stop="date_due"><field name="name"/></gantt>',
  cohort: '<cohort date_start="date_loan" date_stop="date_due" interval="month"/>',
} as const

/** Adds views, actions and menus to the library, like an addon with views. */
export const furnishLibrary = async ({ asSystem, holder }: TestModules): Promise<LibraryViews> => {
  const { groupIdByXmlid } = (await holder.latest()).access
  const librarians = [groupIdByXmlid.get('library.group_librarian')!]
  return asSystem(async (env) => {
    const view = (model: string, archs: Readonly<Partial<Record<BuiltInViewType, string>>>) =>
      env.model('sys.view').createMany(
        // The keys of the object are the kinds of view.
        Object.entries(archs).map(([type, arch]) => ({
          name: `${model} ${type}`,
          model,
          type: type as BuiltInViewType,
          arch,
        })),
      )
    await view('library.book', { list: LIST, form: FORM, kanban: KANBAN, search: SEARCH })
    await view('library.loan', LOANS)
    const action = (values: Values<'sys.action'>) => env.model('sys.action').create(values)
    const actions = {
      books: await action({
        name: 'Books',
        model: 'library.book',
        view_modes: 'list,kanban,form,graph,pivot',
        limit: 3,
        context: {
          default_state: 'available',
          default_is_rare: true,
          default_purchase_price: 5,
          default_last_lent_at: '2026-01-01T00:00:00Z',
          default_company_id: 'user.company_id',
          default_nonsense: 1,
        },
        help: '<p>No book yet.</p>',
      }),
      available: await action({
        name: 'Available Books',
        model: 'library.book',
        view_modes: 'kanban,list',
        domain: "[('state', '=', 'available')]",
        context: { search_default_long: 1, search_default_dear: 1, search_default_title: 'e', group_by: 'state' },
      }),
      authors: await action({ name: 'Authors', model: 'library.author', view_modes: 'list,form' }),
      librarians: await action({ name: 'Office', model: 'library.book', view_modes: 'list', group_ids: librarians }),
      rules: await action({ name: 'Record Rules', model: 'sys.rule', view_modes: 'list,form' }),
      loans: await action({ name: 'Loans', model: 'library.loan', view_modes: 'calendar,gantt,cohort,list' }),
      places: await action({ name: 'Places', model: 'core.partner', view_modes: 'map,list' }),
    }
    const menu = (values: Values<'sys.menu'>) => env.model('sys.menu').create(values)
    const library = await menu({ name: 'Library', sequence: 1 })
    const stock = await menu({ name: 'Stock', parent_id: library, sequence: 1 })
    const empty = await menu({ name: 'Empty', parent_id: library, sequence: 4 })
    await menu({ name: 'Rules', parent_id: empty, action_id: actions.rules })
    const menus = {
      library,
      stock,
      empty,
      office: await menu({ name: 'Office', parent_id: library, action_id: actions.librarians, sequence: 3 }),
      books: await menu({ name: 'Books', parent_id: stock, action_id: actions.books, sequence: 1 }),
      authors: await menu({ name: 'Authors', parent_id: stock, action_id: actions.authors, sequence: 2 }),
    }
    return { actions, menus }
  })
}
