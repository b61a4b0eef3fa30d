import type { ArchNode, ContentViewType } from './arch/arch.ts'

/** What the browser gets of views, menus and the shell. Types only, so that the client may import them. */

/** A domain as JSON; names like `user.id` are values already. */
export type WireDomain = readonly unknown[]
export type WireRecord = Readonly<Record<string, unknown>> & { readonly id: number }

/** What a view needs to know about a field. Fields the user may not read are absent. */
export interface WireField {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly help?: string
  readonly required?: true
  readonly readonly?: true
  /** Target of a relation. */
  readonly relation?: string
  /** Field of the target that points back, of a one2many. */
  readonly inverse?: string
  readonly selection?: readonly (readonly [key: string, label: string])[]
  /** Most characters of a text. */
  readonly size?: number
  /** Languages besides English into which the text can be translated: fields `name@de`. */
  readonly languages?: readonly string[]
  /** Digits in all and after the point. */
  readonly digits?: readonly [number, number]
  /** Field with the currency of an amount. */
  readonly currencyField?: string
  readonly sortable?: true
  readonly searchable?: true
  readonly groupable?: true
  /** Whether sums of it make sense. */
  readonly aggregatable?: true
  /** Every change of it is kept in the chatter. */
  readonly tracked?: true
  /** A duplicate begins without it. */
  readonly uncopied?: true
}

/** A model another field of the arch leads to: columns of an inline list, or what a combobox needs. */
export interface WireRelated {
  readonly model: string
  readonly fields: readonly WireField[]
  /** Fields shown beside the name of a record that can be chosen; absent if the model declares none. */
  readonly about?: readonly WireField[]
  /** Text fields that are searched beside the name: a reference, an e-mail address. Absent: none. */
  readonly searched?: readonly string[]
  readonly access: WireAccess
}

/** What the user may do with records of the model; in a form, with its record. */
export interface WireAccess {
  readonly create: boolean
  readonly write: boolean
  readonly unlink: boolean
}

export interface WireKanbanColumn {
  /** Value of the group field: a key, an id, or null for records without one. */
  readonly value: unknown
  readonly label: string
  readonly count: number
  readonly fold: boolean
  /** Sum of the measure the view names; null when it names none, or for amounts in several currencies. */
  readonly sum: number | null
  /** Of an amount: its sum in each currency, by ISO code. */
  readonly sums?: Readonly<Record<string, number>>
  /** Counts per value of the field of the progress bar. */
  readonly progress: Readonly<Record<string, number>> | null
  /** Narrows the records of the view to this column. */
  readonly domain: WireDomain
}

export interface WireKanban {
  readonly groupField: string
  readonly draggable: boolean
  readonly quickCreate: boolean
  readonly columns: readonly WireKanbanColumn[]
}

export interface WireArch {
  readonly type: ContentViewType
  readonly model: string
  /** Fields of the model, `name` and `type` first. */
  readonly fields: readonly WireField[]
  /** Models behind relational fields, by field name (`line_ids`, and `line_ids.product_id` inside inline views). */
  readonly related: Readonly<Record<string, WireRelated>>
  /** The resolved view for this user, without the parts they may not see. */
  readonly root: ArchNode
  readonly access: WireAccess
  /** Records can be archived: the model has `active`. */
  readonly archivable?: true
  /** Records can be downloaded as a table from `/web/export/csv`. */
  readonly exportable?: true
  /** Only in kanban views. */
  readonly kanban?: WireKanban
  /** View extensions that did not fit and were left out, one sentence each; for administrators. */
  readonly warnings?: readonly string[]
}

/** One entry of the search view. Filters of the same `set` widen each other, different sets narrow. */
export interface WireFilter {
  readonly name: string
  readonly label: string
  readonly set: number
  readonly domain?: WireDomain
  /** A date field whose periods (month, quarter, year) one may choose. */
  readonly date?: string
  /** `field` or `field:granularity`. */
  readonly groupBy?: string
}

export interface WireSearchField {
  readonly name: string
  readonly label: string
  readonly type: string
  /** Domain with the text `self` where the value goes; without it the field's own contains or equals. */
  readonly filterDomain?: WireDomain
}

export interface WireSearchPanelSection {
  readonly field: string
  readonly label: string
  readonly multi: boolean
  readonly hierarchical: boolean
}

export interface WireSearch {
  readonly fields: readonly WireSearchField[]
  readonly filters: readonly WireFilter[]
  readonly panel: readonly WireSearchPanelSection[]
  /** Fields that filters group by and the panel narrows by, even if the view does not show them; needed to name their values. */
  readonly grouped: readonly WireField[]
  /** Filters the action switches on (`search_default_<filter>`), and values it searches for (`search_default_<field>`). */
  readonly defaultFilters: readonly string[]
  readonly defaultValues: Readonly<Record<string, unknown>>
}

/** Days a calendar or a chart of bars has records of, `to` exclusive. */
export interface WireWindow {
  readonly from: string
  readonly to: string
}

export interface WireViewTab {
  readonly mode: ContentViewType
  readonly label: string
  readonly href: string
  readonly active: boolean
}

export interface WireBreadcrumb {
  readonly label: string
  /** Null for the current page. */
  readonly href: string | null
}

/** The answer of `GET /web/wc/workspace`. */
export interface WireWorkspace {
  readonly actionId: number
  readonly menuId: string
  readonly viewType: ContentViewType
  readonly model: string
  readonly recordId: number
  readonly formEdit: boolean
  readonly csrfToken: string
  readonly arch: WireArch
  readonly records: readonly WireRecord[]
  readonly viewTabs: readonly WireViewTab[]
  readonly breadcrumbs: readonly WireBreadcrumb[]
  readonly listSearch: string
  readonly listTotal: number
  /** False when counting stopped at 10,000: there are at least `listTotal`. */
  readonly listTotalExact: boolean
  readonly listSort: string
  readonly listOffset: number
  readonly listLimit: number
  readonly listFilter: string
  readonly formBaseQuery: string
  readonly defaults: Readonly<Record<string, unknown>>
  /** Name of the action, or of the model. */
  readonly title: string
  /** Words for its records within a sentence, if the action or another one of the model declares them. */
  readonly recordNames?: readonly [one: string, several: string]
  /** The action's own domain: all calls of the view start from it. */
  readonly domain: WireDomain
  /** What `filter` and `q` narrow it to, beside the action's own domain. */
  readonly searchDomain: WireDomain
  /** The context of the action for views; its `default_*` and `search_default_*` are in `defaults` and `search`. */
  readonly context: Readonly<Record<string, unknown>>
  readonly search: WireSearch
  /** Calendar and gantt only: which days `records` covers. */
  readonly window?: WireWindow
  /** The text of the action for an empty list; sanitised HTML. */
  readonly help: string | null
  readonly target: 'current' | 'new'
}

export interface WireCreates {
  /** The word for it inside a sentence: “quotation”. */
  readonly name: string
  /** The link to the record it is about, such as its customer. */
  readonly link?: { readonly field: string; readonly model: string; readonly label: string }
}

export interface WireMenu {
  readonly id: number
  readonly name: string
  /** Where it leads; null for a heading. */
  readonly href: string | null
  /** Model of the records it opens; a heading has none. */
  readonly model?: string
  /** What a new record of it is; absent if the user may not create one. */
  readonly creates?: WireCreates
  /** Its list takes records from a file; absent if the user may not create any. */
  readonly imports?: true
  /** Name of an icon of the client. */
  readonly icon?: string
  /** Only shown in developer mode. */
  readonly isTechnical?: true
  readonly children: readonly WireMenu[]
}

/** An application: a root menu. */
export interface WireApp {
  /** Its addon; names its icon and its hue. */
  readonly module: string
  readonly name: string
  readonly summary: string
  readonly menuId: number
  readonly href: string
  /** What it opens with, unless the user has a default search there. */
  readonly opens?: {
    readonly actionId: number
    readonly model: string
    readonly domain: WireDomain
    /** Singular and plural words for the records, if the action declares them. */
    readonly recordNames?: readonly [one: string, several: string]
  }
}

export interface WireToast {
  readonly level: 'info' | 'success' | 'warning' | 'error'
  readonly text: string
  /** Shown once, with a button that copies it. */
  readonly secret?: string
}

/** A module of the program, for the catalogue at `/web/apps`. */
export interface WireModule {
  /** As `POST /web/module/action` takes it. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly application: boolean
  readonly state: 'uninstalled' | 'installed' | 'inactive'
  /** The version of the program, which an update would install. */
  readonly version: string
  /** Null while it is not installed. */
  readonly installedVersion: string | null
  readonly depends: readonly string[]
  /** Installed modules that need it; while there are any, it cannot be uninstalled. */
  readonly neededBy: readonly string[]
}

/** One card of the settings page. */
export interface WireSettingsSection {
  readonly key: string
  readonly label: string
  readonly href: string
  /** Records behind it; null where there is nothing to count. */
  readonly count: number | null
}

export interface WireSettings {
  readonly sections: readonly WireSettingsSection[]
  /** Whether mail can leave this installation, and how much waits. */
  readonly mail: { readonly enabled: boolean; readonly waiting: number } | null
  /** Jobs whose last run failed. */
  readonly failingJobs: number
}

/** The result of an action on several records; see `POST /web/wc/act`. */
export interface WireActed {
  /** Ids of all records, or none. */
  readonly done: readonly number[]
  /** Ids of the records for which the action would work. */
  readonly possible: readonly number[]
  readonly refused: readonly ({ readonly id: number } & Readonly<Record<'name' | 'reason' | 'message', string>>)[]
  readonly redirect?: string
  /** A message to show on the page it leads to. */
  readonly notice?: string
  /** The token for `POST /web/wc/undo`, if the action can be undone. */
  readonly undo?: string
}

/** Records of one model that a search of the palette found. */
export interface WireFound {
  readonly model: string
  /** The word for one of its records. */
  readonly label: string
  /** Fields that tell the records apart, in the order to show them. */
  readonly fields: readonly WireField[]
  readonly records: readonly WireRecord[]
}

/** A figure of the home page; the client reads its value with `read_group`. */
export interface WireFigure {
  /** Its addon; names its hue. */
  readonly module: string
  readonly label: string
  readonly model: string
  readonly domain: WireDomain
  /** The field to add up; null counts the records. */
  readonly measure: WireField | null
  /** Field with the day or moment. */
  readonly date: string
  /** The action over its records. */
  readonly href: string
}

/** Things to do for the user; the client reads them with `search_read`. */
export interface WireActivities {
  readonly model: string
  /** Only what is for the user. */
  readonly domain: WireDomain
  readonly title: string
  readonly about: string | null
  readonly date: string
  readonly icon: string | { readonly field: string; readonly icons: Readonly<Record<string, string>> }
  /** The action over its records. */
  readonly href: string
}

/** Something to do in a new installation. */
export interface WireStep {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly button: string
  readonly href: string
  /** Whether it is done; or the records that show it, which the client counts. */
  readonly done: boolean | { readonly model: string; readonly domain: WireDomain; readonly least: number }
}

export interface WireHome {
  /** Only those the user may take. */
  readonly steps: readonly WireStep[]
  readonly figures: readonly WireFigure[]
  readonly activities: readonly WireActivities[]
}

/** `window.__WC_BOOTSTRAP__`. */
export interface WireBootstrap {
  readonly rpcUrl: string
  readonly wcApiBase: string
  readonly csrfToken: string
  readonly user: {
    readonly id: number
    readonly name: string
    readonly login: string
    readonly lang: string
    readonly tz: string
    /** In `base.group_system`. */
    readonly isAdmin: boolean
  }
  readonly company: { readonly id: number; readonly name: string }
  /** Names of the companies the user works in now, the current one first. */
  readonly worksIn: string
  /** All the user may switch to. */
  readonly companies: readonly { readonly id: number; readonly name: string; readonly active: boolean }[]
  /** The applications, in the order of their menus. */
  readonly topMenus: readonly WireMenu[]
  /** The menus of the application the page is in. */
  readonly sidebarMenus: readonly WireMenu[]
  readonly apps: readonly WireApp[]
  readonly pinnedApps: readonly string[]
  /** Saved searches (`sys.filter`) the user sees, by name: their own and those for everybody. */
  readonly favourites: readonly WireRecord[]
  /** How the user arranged the client (`sys.preference`). */
  readonly preferences: readonly { readonly id: number; readonly key: string; readonly value: unknown }[]
  /** Sent with every page, because the client opens the home page without loading another page. */
  readonly home: WireHome
  /** The query of the page, as the workspace takes it. */
  readonly workspace: Readonly<Record<string, string>>
  readonly busEnabled: boolean
  /** The position in the log of events that the page is up to date with; the client requests later events. */
  readonly busSeq: string
  readonly toasts: readonly WireToast[]
  /** Tiles of the map view; null draws the outlines the program ships. */
  readonly mapTilesUrl: string | null
  /** Only on `/web/apps`, and only for administrators. */
  readonly modules?: readonly WireModule[]
  /** Only on `/web/settings`. */
  readonly settings?: WireSettings
}
