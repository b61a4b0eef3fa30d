import type { DocumentDef } from '../document/declare.ts'
import type { Env } from '../env.ts'
import type { Translate } from '../i18n/translate.ts'
import type { ListedReason } from '../reasons.ts'
import type { Action, CheckDef, ModelEvents, OnchangeResult } from './behavior.ts'
import type { CheckTrigger } from './check-needs.ts'
import type { HandOver, RecordFields, SqlConstraint } from './define.ts'
import type { Field, NeedRecord } from './fields/field.ts'
import type { Home } from './home.ts'
import type { AppSettings } from './setting.ts'
import type { ViewKind } from './view-kind.ts'

export interface OrderTerm {
  readonly field: string
  readonly descending: boolean
}

/** A model compiled from every definition and extension of the installed addons. */
export interface Model {
  readonly name: string
  readonly table: string
  readonly label: string
  readonly addon: string
  readonly fields: ReadonlyMap<string, Field>
  /** Always ends in `id`. */
  readonly order: readonly OrderTerm[]
  /** Stored text fields whose values, joined by a blank, are the display name; empty: `model,id`. */
  readonly displayFields: readonly string[]
  readonly searchFields: readonly string[]
  /** What is shown beside the name of a record, see `ModelOptions.aboutFields`. */
  readonly aboutFields: readonly string[]
  /** The many2one to this model that defines the hierarchy. */
  readonly parentField: string | null
  readonly hasActive: boolean
  readonly hasCompany: boolean
  readonly expandGroups: boolean
  /** By field: the records that other users take over when a user leaves. */
  readonly handOver: ReadonlyMap<string, HandOver>
  readonly rpc: 'all' | 'read' | 'none'
  /** The access to a record that posting a message requires. */
  readonly chatter: 'none' | 'read' | 'write'
  /** The fields that name the record which a row is a message of; null: rows are no messages. */
  readonly threadOf: RecordFields | null
  /** Text fields that can be translated. */
  readonly translated: readonly Field[]
  /** Fields whose old values a transaction keeps until its end, for `ModelEvents.tracked`. */
  readonly tracked: readonly Field[]
  readonly constraints: ReadonlyMap<string, SqlConstraint>
  readonly checks: readonly CheckDef<never>[]
  readonly onchange: ReadonlyMap<string, readonly OnchangeHandler[]>
  /** From the base action to the last override. */
  readonly actions: ReadonlyMap<string, readonly Action<never>[]>
  /** Who may run an action: one group of each list. */
  readonly actionGroups: ReadonlyMap<string, readonly (readonly string[])[]>
  /** Groups for which an action runs under sudo: one of them is enough. */
  readonly grantedActions: ReadonlyMap<string, readonly string[]>
  /** Actions that can be undone. */
  readonly undoableActions: ReadonlySet<string>
  /** By undoable action, the one that a user must be allowed to run to undo it. */
  readonly undoneBy: ReadonlyMap<string, string>
  /** Actions that a scheduled job may run, on no record. */
  readonly scheduledActions: ReadonlySet<string>
  readonly events: readonly ModelEvents<never>[]
  /** Stored computed fields of any model to recompute when a field of this one changes. */
  readonly triggers: ReadonlyMap<string, readonly Trigger[]>
  /** Checks of any model that read a field of this one. */
  readonly checkTriggers: readonly CheckTrigger[]
}

export type OnchangeHandler = (
  env: Env,
  draft: Readonly<Record<string, unknown>>,
  form: { readonly read: (needs: readonly string[]) => Promise<NeedRecord> },
) => OnchangeResult<never> | undefined | Promise<OnchangeResult<never> | undefined>

/** Changing the owning field makes `field` of `model` stale for the records that reach it over `path`. */
export interface Trigger {
  readonly model: string
  readonly field: string
  /** Relational steps from `model` to the changed record; empty when it is the record itself. */
  readonly path: readonly string[]
}

/** The installed models as one frozen value. */
export interface Registry {
  readonly models: ReadonlyMap<string, Model>
  /** Names of the installed addons in dependency order. */
  readonly addons: readonly string[]
  /** Jobs of the installed addons, as `sys.cron.handler` names them (`addon.job`), and whether they run under a lease. */
  readonly jobs: ReadonlyMap<string, 'tx' | 'lease'>
  /** Letters about records that the addons declare. */
  readonly documents: readonly DocumentDef[]
  /** Settings of those addons that declare some. */
  readonly settings: readonly AppSettings[]
  /** Kinds of view that the addons bring, besides the built-in ones. */
  readonly viewKinds: ReadonlyMap<string, ViewKind>
  /** Names of widgets that the client code of addons draws fields with. */
  readonly widgets: ReadonlySet<string>
  /** What the addons show on the home page. */
  readonly home: Home
  /** Reasons for refusals that the addons declare. */
  readonly reasons: readonly ListedReason[]
  /** Stored computed fields, each after everything it needs: `model.field` → rank. */
  readonly computeOrder: ReadonlyMap<string, number>
  model(name: string): Model | undefined
  /** The languages, besides English, that texts of declarations are translated into. */
  readonly languages: readonly string[]
  /** Translates texts of declarations; a text without a translation stays English. */
  translatorIn(lang: string): Translate
  /**
   * The translated language that is closest to the wanted one, otherwise English. Both give the same texts, so results can be
   * cached by it.
   */
  closestLanguage(wanted: string): string
}
