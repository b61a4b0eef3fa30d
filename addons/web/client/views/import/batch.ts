import type { ValueToSettle } from '../../../../../kernel/exchange/import/write/value-to-settle.ts'
/** A field to which a column may be mapped, as in `sys.bulk.import`. */
export interface FieldChoice {
  readonly path: string
  readonly label: string
  readonly type: string
}

export interface SampledColumn {
  readonly header: string
  readonly kind: 'empty' | 'number' | 'date' | 'boolean' | 'email' | 'text'
  readonly samples: readonly string[]
  readonly filled: number
  readonly isRemembered?: true
  /** A field with a similar name, for a column that is not mapped. */
  readonly similar?: string
}

export type Policy = 'match' | 'create' | 'skip' | 'empty'

/** The decision for a text that names no record or several: a record or a policy. */
export type Settled = number | Exclude<Policy, 'match'>

export interface Entry {
  readonly field: string
  readonly key?: boolean
  readonly format?: string
  readonly policy?: Policy
  readonly values?: Readonly<Record<string, Settled>>
}

/** Header → its field and options. */
export type Mapping = Readonly<Record<string, Entry>>

export interface Problem {
  readonly row: number
  readonly column: string | null
  readonly value: string
  readonly message: string
}

export type RowAction = 'create' | 'update' | 'unchanged' | 'skip' | 'error'

export interface PreviewRow {
  readonly row: number
  readonly action: RowAction
  readonly name: string
  readonly changes?: readonly { readonly column: string; readonly old: string; readonly new: string }[]
  readonly problems?: readonly Problem[]
}

export type Preview = Readonly<Record<RowAction, number>> & {
  readonly rows: readonly PreviewRow[]
  readonly values?: readonly ValueToSettle[]
}

export interface UndoReport {
  readonly removed: number
  readonly restored: number
  readonly keptCount: number
  readonly kept: readonly {
    readonly model: string
    readonly id: number
    readonly name: string
    readonly reason: string
  }[]
}

/** A record of `sys.bulk.import` as the page reads it. */
export interface Batch {
  readonly id: number
  readonly model: string
  readonly state: 'staged' | 'mapped' | 'running' | 'done' | 'failed' | 'cancelled' | 'undone'
  readonly import_mode: 'create' | 'upsert'
  readonly remember: boolean
  readonly next: string | null
  readonly action_id: readonly [id: number, name: string] | null
  /** Values of new records for which the file has no column. */
  readonly defaults: readonly { readonly field: string; readonly label: string; readonly text: string }[] | null
  readonly with_defaults: boolean
  readonly fields: string | null
  readonly file_name: string | null
  readonly encoding: string | null
  readonly separator: string | null
  readonly has_header: boolean
  readonly row_count: number
  readonly columns: readonly SampledColumn[] | null
  readonly choices: readonly FieldChoice[] | null
  readonly column_mapping: Readonly<Record<string, string | Entry | null>> | null
  readonly preview: Preview | null
  readonly problems: readonly Problem[] | null
  readonly created_count: number
  readonly updated_count: number
  readonly skipped_count: number
  readonly undo_report: UndoReport | null
  readonly may_undo: boolean
}

export const MODEL = 'sys.bulk.import'

export const BATCH_FIELDS = [
  ...[
    'model',
    'state',
    'import_mode',
    'remember',
    'next',
    'action_id',
    'defaults',
    'with_defaults',
    'fields',
    'file_name',
    'encoding',
    'separator',
    'has_header',
    'row_count',
    'columns',
    'choices',
  ],
  ...['column_mapping', 'preview', 'problems', 'created_count', 'updated_count', 'skipped_count', 'undo_report'],
  'may_undo',
]

/** The stored mapping, with every entry in its long form. */
export const mappingOf = ({ column_mapping }: Batch): Mapping =>
  Object.fromEntries(
    Object.entries(column_mapping ?? {}).flatMap(([header, entry]) => {
      const long = typeof entry === 'string' ? { field: entry } : entry
      return long?.field ? [[header, long]] : []
    }),
  )

const NUMBERS = ['1,234.56', '1.234,56']
const DATES = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY']
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: NUMBERS,
  float: NUMBERS,
  monetary: NUMBERS,
  date: DATES,
  datetime: DATES,
}

/** How the cells of a column may be written. */
export const formatsOf = (type: string): readonly string[] => FORMATS[type] ?? []

export const isRelational = (type: string): boolean => type === 'many2one' || type === 'many2many'
