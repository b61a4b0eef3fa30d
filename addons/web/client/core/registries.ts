import type { ReadonlySignal } from '@preact/signals'
import { type ComponentChild, type ComponentType, h } from 'preact'
import type { ArchNode } from '../../../../kernel/view/arch/arch.ts'
import type { WireDomain, WireField, WireRelated, WireWorkspace } from '../../../../kernel/view/wire.ts'
import type { Person } from '../net/bus.ts'
import type { Route } from '../router/codec.ts'
import type { InvalidText } from '../store/invalid-text.ts'
import type { Lines } from '../store/x2many.ts'
import type { IconName } from '../ui/icon-names.ts'
import { createRegistry } from './registry.ts'

/** Props of a view. It is mounted anew for another action, model or kind of view, and gets new props when only the query changes. */
export interface ViewProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  /** Loads the workspace again; the old one stays on screen, dimmed. */
  reload(): Promise<void>
}

export interface ViewModule {
  readonly View: ComponentType<ViewProps>
}

/** Props of a view in a tile of a dashboard, which has no search bar, and tools only where they fit. */
export interface TileProps {
  readonly workspace: WireWorkspace
  /** The address of the full view, with the period and the company of the dashboard as filters. */
  readonly route: Route
  readonly title: string
  /** Columns and rows of the tile. */
  readonly width: number
  readonly height: number
}

export interface TileModule {
  readonly Tile: ComponentType<TileProps>
}

export interface ViewEntry {
  /** Fetches the chunk. */
  load(): Promise<ViewModule>
  /** Fetches the view as it is drawn in a tile; a kind without it cannot be pinned to a dashboard. */
  loadTile?(): Promise<TileModule>
  /** In the view switch, and beside `label` where tiles are chosen; those of built-in kinds are in `ui/view-icons.ts`. */
  readonly icon?: IconName
  /** Its name among the kinds of tiles, in English; tabs have that of the server. */
  readonly label?: string
  /** Drawn in the view's shape while it loads. */
  readonly Skeleton?: ComponentType
  /** Follows the bus by itself; other views are loaded again when events were missed. */
  readonly isLive?: boolean
}

/** Values of the record a field belongs to; reads subscribe. */
export interface FieldRecord {
  readonly model: string
  /** Null for a record that is not saved yet. */
  readonly id: number | null
  get(name: string): unknown
  /** The record whose form holds this line. */
  readonly parent?: FieldRecord
  /** The description of the model behind a relation of this record. */
  related?(name: string): WireRelated | undefined
  /** Rows of a relation while they are edited. Absent where nothing is: cells of a list, cards. */
  lines?(name: string): Lines
  setLines?(name: string, lines: Lines): void
  /** What differs from the saved record, as it would be sent. */
  changes?(): Readonly<Record<string, unknown>>
  /** The domain an onchange set for the targets of a relation. */
  domainOf?(name: string): WireDomain | undefined
}

export interface FieldProps {
  readonly field: WireField
  /** The element of the arch: `attrs.placeholder`, `attrs.options`, inline views of relations. */
  readonly node: ArchNode
  readonly record: FieldRecord
  readonly value: unknown
  /** Id of the control, which the label points at. */
  readonly id: string
  readonly readonly: boolean
  readonly required: boolean
  /** The problem of the value, in one sentence. The view shows it in an element with the id `<id>-error`. */
  readonly error: string | null
  /** Kind of the view around it: `form`, `list`, `kanban`. */
  readonly view: string
  /** The cell was opened for typing: a control that is loaded afterwards takes the focus. */
  readonly isOpened?: boolean
  /** The user chose a value: written into the draft. */
  onChange(value: unknown): void
  /** The typed text is no valid value: the view shows why and does not save. Null when it is valid again. */
  onInvalid?(problem: string | InvalidText | null): void
  /** A text the control gave to `onInvalid`, which the view keeps in place of the value. */
  readonly invalidText?: InvalidText | undefined
}

export interface FieldEntry {
  /** Narrows the value itself: one widget may draw several types. */
  readonly Widget: ComponentType<FieldProps>
  /** The value as plain text: list cells, tooltips, copies. */
  format?(value: unknown, field: WireField, record: FieldRecord): string
  /** Numbers are aligned to the end of their column. */
  readonly numeric?: boolean
  /** Whether a required field with this value counts as unset; default: null and the empty text. */
  isEmpty?(value: unknown): boolean
}

export interface Command {
  readonly label: string
  readonly icon?: string
  /** `mod+k`, `g h`; see `hotkeys.ts`. */
  readonly keys?: string
  /** Heading in the palette and the sheet of shortcuts. */
  readonly group?: string
  /** Words that find it besides its label. */
  readonly search?: string
  /** Whether it makes sense right now. */
  available?(): boolean
  run(): void | Promise<void>
}

/** A page of the shell with an address of its own, such as `/web/home`. */
export interface PageEntry {
  /** Absent where only the page knows it. */
  readonly title?: string
  load(): Promise<PageModule>
}

export interface PageModule {
  readonly Page: ComponentType<{ readonly route: Route }>
  /** The title, if the entry does not have it. */
  readonly title?: string
}

/** Turns a value into text for a field type. */
export type Formatter = (value: unknown, field: WireField, record: FieldRecord) => string

/** The record of the form that the aside belongs to. */
export interface AsideProps {
  readonly model: string
  readonly id: number
  /** Whether the user may change records of the model, and so post about them. */
  readonly mayWrite: boolean
  /** Other users who have the record open. */
  readonly others: ReadonlySignal<readonly Person[]>
}

export const views = createRegistry<ViewEntry>()
export const fields = createRegistry<FieldEntry>()
export const formatters = createRegistry<Formatter>()
export const commands = createRegistry<Command>()
/** Items at the end of the top bar. */
export const systray = createRegistry<ComponentType>()
/** Shown next to the form of a saved record: `chatter`. */
export const asides = createRegistry<ComponentType<AsideProps>>()
/** By path. */
export const pages = createRegistry<PageEntry>()

/** The widget of a field in a kind of view: `view.widget`, then `widget`, `view.type`, `type`, and plain text at last. */
export function findField(view: string, type: string, widget?: string): FieldEntry {
  const wanted = widget === undefined ? [] : [`${view}.${widget}`, widget]
  const found = fields.first([...wanted, `${view}.${type}`, type, 'char'])
  if (!found) throw new Error(`no widget for ${type}`)
  return found
}

/** Draws a field with its widget, as every view does. */
export const drawField = (entry: FieldEntry, props: FieldProps): ComponentChild =>
  // The lookup found the widget by the type of the field, whose values it takes.
  h(entry.Widget as ComponentType<FieldProps>, props)
