import { type DocumentDef, documentProblems } from '../document/declare.ts'
import { MODEL_WORDS_DE } from '../i18n/model-words-de.ts'
import { BASE_LANGUAGE, closestLanguage, mergeWords, translatorIn, type WordsByLanguage } from '../i18n/translate.ts'
import { listReasons, type ReasonTable } from '../reasons.ts'
import type { Action, BehaviorDef, BehaviorOptions, ModelEvents, ModelObserver } from './behavior.ts'
import { compileField } from './compile-field.ts'
import type { ExtensionDef, FieldDefs, HandOver, MixinDef, ModelDef, SqlConstraint } from './define.ts'
import type { Field, FieldCompute } from './fields/field.ts'
import { translationOf, untranslatable } from './fields/translation.ts'
import { type HomeParts, homeProblems, joinHomes } from './home.ts'
import { BEHAVIOR_KEYS, FIELD_KEYS, MODEL_KEYS, unknownKeys } from './known-keys.ts'
import type { Model, OnchangeHandler, OrderTerm, Registry } from './registry.ts'
import { relatedCompute, relatedProblem } from './related.ts'
import { compileActions, compileServerEvents } from './server-action.ts'
import { type SettingDef, settingProblems } from './setting.ts'
import { SYSTEM_FIELDS } from './system-fields.ts'
import { trackedFields } from './tracked-fields.ts'
import { compileTriggers, type Uncompiled } from './triggers.ts'
import { joinViewKinds, type ViewKind } from './view-kind.ts'

/** What the registry needs of an addon. */
export interface AddonModels {
  readonly name: string
  readonly models: readonly (ModelDef | ExtensionDef)[]
  readonly behaviors: readonly BehaviorDef[]
  readonly jobs?: Readonly<Record<string, unknown>>
  readonly observers?: readonly ModelObserver[]
  readonly viewKinds?: readonly ViewKind[]
  readonly widgets?: readonly string[]
  readonly home?: HomeParts
  readonly documents?: readonly DocumentDef[]
  readonly title?: string
  readonly settings?: readonly SettingDef[]
  readonly translations?: WordsByLanguage
  readonly reasons?: ReasonTable
}

/** All mistakes in the declarations of the installed addons. */
export class RegistryError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'RegistryError'
    this.problems = problems
  }
}

type Report = (problem: string) => void

/** A model while its parts are collected from the addons. */
interface ModelDraft {
  readonly definition: ModelDef
  readonly addon: string
  readonly fields: Map<string, { readonly addon: string; readonly definition: FieldDefs[string] }>
  readonly constraints: Map<string, SqlConstraint>
  readonly behaviors: BehaviorOptions<never>[]
  chatter: boolean
  chatterOnRead: boolean
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/
const FIELD_NAME = /^[a-z][a-z0-9_]{0,57}$/

export const tableOf = (model: string): string => model.replaceAll('.', '_')

/** Compiles the addons, given in dependency order, into the registry; throws `RegistryError` with all problems. */
export function compileRegistry(addons: readonly AddonModels[]): Registry {
  const problems: string[] = []
  const report: Report = (problem) => problems.push(problem)
  const drafts = collectDrafts(addons, report)
  const viewKinds = joinViewKinds(addons, report)
  offerKinds(drafts.get('sys.view'), viewKinds)
  const compiled = new Map<string, Uncompiled>()
  const words = mergeWords([{ de: MODEL_WORDS_DE }, ...addons.map(({ translations = {} }) => translations)])
  const shared: Shared = {
    observers: addons.flatMap((addon) => addon.observers ?? []),
    languages: Object.keys(words).filter((lang) => lang !== BASE_LANGUAGE),
  }
  for (const draft of drafts.values()) compiled.set(draft.definition.name, compileModel(draft, shared, report))
  checkRelations(compiled, report)
  checkRelated(compiled, report)
  const { triggers, checks, order } = compileTriggers(compiled, report)
  if (problems.length > 0) throw new RegistryError(problems)
  const models = new Map<string, Model>()
  for (const [name, model] of compiled) {
    models.set(
      name,
      Object.freeze({ ...model, triggers: triggers.get(name) ?? new Map(), checkTriggers: checks.get(name) ?? [] }),
    )
  }
  const registry: Registry = Object.freeze({
    models,
    addons: addons.map((addon) => addon.name),
    jobs: new Map(addons.flatMap(compileJobs)),
    viewKinds,
    widgets: new Set(addons.flatMap(({ widgets = [] }) => widgets)),
    home: joinHomes(addons),
    documents: addons.flatMap(({ documents = [] }) => documents),
    settings: addons.flatMap(({ name, title = name, settings = [] }) =>
      settings.length === 0 ? [] : [{ addon: name, title, settings }],
    ),
    reasons: addons.flatMap(({ name, reasons = {} }) => listReasons(reasons, `${name}.`)),
    computeOrder: order,
    model: (name: string) => models.get(name),
    languages: shared.languages,
    translatorIn: (lang: string) => translatorIn(words, lang),
    closestLanguage: (wanted: string) => closestLanguage(words, wanted),
  })
  const unfit = [...homeProblems(registry), ...documentProblems(registry), ...settingProblems(registry.settings)]
  if (unfit.length > 0) throw new RegistryError(unfit)
  return registry
}

/** A job is a function, or an object that says how it is run. */
const compileJobs = ({ name, jobs = {} }: AddonModels): (readonly [string, 'tx' | 'lease'])[] =>
  Object.entries(jobs).map(([job, work]) => [`${name}.${job}`, typeof work === 'function' ? 'tx' : 'lease'])

function collectDrafts(addons: readonly AddonModels[], report: Report): Map<string, ModelDraft> {
  const drafts = new Map<string, ModelDraft>()
  for (const addon of addons) {
    for (const part of addon.models) {
      for (const key of unknownKeys(part, MODEL_KEYS[part.kind])) report(`${addon.name}: ${part.name} says ${key}`)
      if (part.kind === 'model') {
        if (drafts.has(part.name)) report(`${addon.name}: model ${part.name} is declared twice`)
        else if (!NAME.test(part.name)) report(`${addon.name}: ${part.name} is not a model name`)
        else drafts.set(part.name, newDraft(part, addon.name))
      }
      const draft = drafts.get(part.name)
      if (draft === undefined) report(`${addon.name}: widens unknown model ${part.name}`)
      else widen(draft, part, addon.name, report)
    }
  }
  for (const addon of addons) {
    for (const { model, options } of addon.behaviors) {
      for (const key of unknownKeys(options, BEHAVIOR_KEYS)) report(`${addon.name}: behaviour for ${model} says ${key}`)
      const draft = drafts.get(model)
      if (draft === undefined) report(`${addon.name}: behaviour for unknown model ${model}`)
      else draft.behaviors.push(options)
    }
  }
  return drafts
}

function newDraft(definition: ModelDef, addon: string): ModelDraft {
  const fields: ModelDraft['fields'] = new Map()
  // A model that is not written through the ORM may declare a field with the name of a system field, like
  // `sys.module.version`.
  const own = definition.rpc === 'read' ? definition.fields : {}
  for (const [name, field] of Object.entries(SYSTEM_FIELDS)) {
    if (!Object.hasOwn(own, name)) fields.set(name, { addon: 'base', definition: field })
  }
  return { definition, addon, fields, constraints: new Map(), behaviors: [], chatter: false, chatterOnRead: false }
}

function widen(draft: ModelDraft, part: ModelDef | ExtensionDef, addon: string, report: Report): void {
  const sources: readonly (MixinDef | ModelDef | ExtensionDef)[] = [...(part.mixins ?? []), part]
  for (const source of sources) {
    for (const [name, definition] of Object.entries(source.fields)) {
      if (!FIELD_NAME.test(name)) report(`${addon}: ${part.name}.${name} is not a field name`)
      else if (draft.fields.has(name)) report(`${addon}: ${part.name}.${name} is declared twice`)
      else draft.fields.set(name, { addon, definition })
      for (const key of unknownKeys(definition.options ?? {}, FIELD_KEYS))
        report(`${addon}: ${part.name}.${name} says ${key}`)
    }
    for (const [name, constraint] of Object.entries(source.constraints ?? {})) draft.constraints.set(name, constraint)
  }
  draft.chatter ||= part.chatter ?? false
  draft.chatterOnRead ||= part.chatterOnRead ?? false
  for (const [name, keys] of Object.entries(part.kind === 'extension' ? (part.selections ?? {}) : {})) {
    const field = draft.fields.get(name)
    if (field?.definition.type !== 'selection') report(`${addon}: ${part.name}.${name} is not a selection to widen`)
    else {
      const options = { ...field.definition.options, selection: { ...field.definition.options.selection, ...keys } }
      draft.fields.set(name, { ...field, definition: { ...field.definition, options } })
    }
  }
}

/** A view may be of any kind that an addon brings. */
function offerKinds(views: ModelDraft | undefined, kinds: ReadonlyMap<string, ViewKind>): void {
  const type = views?.fields.get('type')
  if (!views || !type) return
  const added = Object.fromEntries([...kinds.values()].map(({ name, label }) => [name, label]))
  const options = { ...type.definition.options, selection: { ...type.definition.options.selection, ...added } }
  views.fields.set('type', { ...type, definition: { ...type.definition, options } })
}

/** Declarations of the addons that apply to all models. */
interface Shared {
  readonly observers: readonly ModelObserver[]
  readonly languages: readonly string[]
}

function compileModel(draft: ModelDraft, { observers, languages }: Shared, report: Report): Uncompiled {
  const { definition, behaviors } = draft
  const { name } = definition
  const table = tableOf(name)
  const computes = collectComputes(draft, report)
  const fields = new Map<string, Field>()
  for (const [fieldName, { addon, definition: field }] of draft.fields) {
    const compute = computes.get(fieldName) ?? relatedCompute(field)
    const system = SYSTEM_FIELDS[fieldName] === field
    if (field.options.compute !== undefined && compute === null && !system) {
      report(`${addon}: ${name}.${fieldName} says compute but no behaviour computes it`)
    }
    const place = { name: fieldName, model: name, table, addon, compute, languages, system }
    fields.set(fieldName, compileField(field, place))
  }
  const translated = [...fields.values()].filter((field) => field.languages.length > 0)
  for (const field of translated) {
    const problem = untranslatable(field)
    if (problem !== undefined) report(`${field.addon}: ${name}.${field.name} cannot be translated: it ${problem}`)
    else
      for (const lang of field.languages) {
        const text = translationOf(field, lang)
        fields.set(text.name, text)
      }
  }
  for (const field of fields.values()) {
    if (field.privateTo.length > 0 && (name !== 'core.user' || field.column === null))
      report(`${field.addon}: ${name}.${field.name} is private, which only stored fields of core.user are`)
  }
  const has = (field: string) => fields.has(field)
  const displayFields = [definition.displayName ?? (has('name') ? ['name'] : [])].flat()
  const searchFields = definition.searchFields ?? displayFields
  const aboutFields = definition.aboutFields ?? []
  const parentField =
    definition.parentField ?? (fields.get('parent_id')?.relation?.target === name ? 'parent_id' : null)
  const order = parseOrderText(definition.order ?? 'id')
  for (const used of [...displayFields, ...searchFields, ...order.map((term) => term.field)]) {
    if (!fields.get(used)?.column)
      report(`${draft.addon}: ${name} orders, searches or is named by ${used}, which is not stored`)
  }
  for (const used of aboutFields.filter((each) => !has(each)))
    report(`${draft.addon}: ${name} is described by ${used}, which is no field of it`)
  for (const used of Object.values(definition.threadOf ?? {}).filter((each) => !fields.get(each)?.column))
    report(`${draft.addon}: ${name} belongs to the record that ${used} names, which is not stored`)
  // Any user who may read a record, or a link to it, can read its display name.
  for (const used of displayFields) {
    const field = fields.get(used)
    if (field?.secret || [...(field?.groups ?? []), ...(field?.privateTo ?? [])].length > 0)
      report(`${draft.addon}: ${name} is named by ${used}, which not everybody may read`)
  }
  const tracked = trackedFields(fields, report)
  const chatter = draft.chatterOnRead ? 'read' : draft.chatter || tracked.length > 0 ? 'write' : 'none'
  const parts = { name, fields, chatter } as const
  const events: readonly ModelEvents<never>[] = [
    ...behaviors.flatMap((options) => options.events ?? []),
    ...compileServerEvents(
      parts,
      behaviors.flatMap((options) => options.on ?? []),
      report,
    ),
    ...observers.flatMap((observer) => observer(parts) ?? []),
  ]
  const actions = groupBehaviors<Action<never>>(
    behaviors.map((options) => compileActions(parts, options.actions ?? {}, report)),
  )
  const actionGroups = groupBehaviors<readonly string[]>(
    behaviors.map(({ actionGroups: groups = {} }) => listsOf(groups)),
  )
  const granted = groupBehaviors<readonly string[]>(behaviors.map(({ grantedActions = {} }) => listsOf(grantedActions)))
  const undoableActions = new Set(behaviors.flatMap((options) => options.undoableActions ?? []))
  const undoneBy = new Map(behaviors.flatMap((options) => Object.entries(options.undoneBy ?? {})))
  for (const action of [...undoableActions, ...undoneBy.keys(), ...undoneBy.values()])
    if (!actions.has(action)) report(`${draft.addon}: ${name} takes back the unknown action ${action}`)
  const scheduledActions = new Set(behaviors.flatMap((options) => options.scheduledActions ?? []))
  for (const action of scheduledActions)
    if (!actions.has(action)) report(`${draft.addon}: ${name} schedules the unknown action ${action}`)
  for (const action of [...actionGroups.keys(), ...granted.keys()])
    if (!actions.has(action)) report(`${draft.addon}: ${name} names groups for the unknown action ${action}`)
  return {
    name,
    table,
    label: definition.label,
    addon: draft.addon,
    fields,
    order,
    displayFields,
    searchFields,
    aboutFields,
    parentField,
    hasActive: fields.get('active')?.type.name === 'boolean',
    hasCompany: fields.get('company_id')?.relation?.target === 'core.company',
    expandGroups: definition.expandGroups ?? false,
    handOver: compileHandOver(draft, fields, report),
    rpc: definition.rpc ?? 'all',
    chatter,
    threadOf: definition.threadOf ?? null,
    translated,
    tracked: events.some((event) => event.tracked) ? tracked : [],
    constraints: draft.constraints,
    checks: behaviors.flatMap((options) => options.checks ?? []),
    onchange: groupBehaviors<OnchangeHandler>(behaviors.map((options) => options.onchange ?? {})),
    actions,
    actionGroups,
    grantedActions: new Map([...granted].map(([action, lists]) => [action, lists.flat()])),
    undoableActions,
    undoneBy,
    scheduledActions,
    events,
  }
}

const listsOf = (
  groups: Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(groups).map(([action, names]) => [action, [names].flat()]))

/** By default the records of `user_id`, except in base, whose records are personal: keys, filters, preferences. */
function compileHandOver(
  { definition, addon }: ModelDraft,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): ReadonlyMap<string, HandOver> {
  const isFit = (field: Field | undefined) =>
    field?.relation?.target === 'core.user' && field.relation.kind !== 'one2many' && field.related === null
  const usual = addon !== 'base' && isFit(fields.get('user_id')) ? { user_id: { label: definition.label } } : {}
  const parts = Object.entries<HandOver>(definition.handOver ?? usual)
  for (const [name] of parts)
    if (!isFit(fields.get(name)))
      report(`${addon}: ${definition.name} hands over by ${name}, which is no link to users`)
  return new Map(parts)
}

function collectComputes({ definition, fields, behaviors }: ModelDraft, report: Report): Map<string, FieldCompute> {
  const computes = new Map<string, FieldCompute>()
  for (const options of behaviors) {
    for (const [name, compute] of Object.entries(computesOf(options))) {
      const field = fields.get(name)
      if (field === undefined) report(`${definition.name}: computes unknown field ${name}`)
      else if (computes.has(name)) report(`${definition.name}.${name} is computed by two behaviours`)
      else if (field.definition.options.compute === undefined) {
        report(
          `${definition.name}.${name} is computed but its declaration does not say how (compute: 'stored' | 'read')`,
        )
      } else {
        computes.set(name, {
          stored: field.definition.options.compute === 'stored',
          needs: compute.needs,
          run: compute.run,
          inverse: compute.inverse ?? null,
          sudo: compute.sudo ?? false,
          search: compute.search ?? null,
        })
      }
    }
  }
  return computes
}

/** The computes of a behaviour, without the types of its model. */
const computesOf = (options: BehaviorOptions<never>) =>
  (options.computes ?? {}) as Readonly<Record<string, ComputeEntry>>

type ComputeEntry = Pick<FieldCompute, 'needs' | 'run'> & Partial<Pick<FieldCompute, 'sudo' | 'inverse' | 'search'>>

function groupBehaviors<T>(parts: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, readonly T[]> {
  const grouped = new Map<string, T[]>()
  for (const part of parts) {
    for (const [name, handler] of Object.entries(part)) {
      // Behaviours of all models are in one map; each is called only with rows of its own model.
      grouped.set(name, [...(grouped.get(name) ?? []), handler as T])
    }
  }
  return grouped
}

function parseOrderText(text: string): readonly OrderTerm[] {
  const terms = text.split(',').map((term) => {
    const [field, direction] = term.trim().split(/\s+/)
    return { field: field!, descending: direction?.toLowerCase() === 'desc' }
  })
  return terms.some((term) => term.field === 'id') ? terms : [...terms, { field: 'id', descending: false }]
}

function checkRelations(models: ReadonlyMap<string, Uncompiled>, report: Report): void {
  for (const model of models.values()) {
    for (const { name, relation, system, addon } of model.fields.values()) {
      if (relation === null || (system && models.size > 0 && !models.has(relation.target))) continue
      const target = models.get(relation.target)
      if (target === undefined) report(`${addon}: ${model.name}.${name} points at unknown model ${relation.target}`)
      else if (relation.kind === 'one2many') {
        const inverse = target.fields.get(relation.inverse)
        if (inverse?.relation?.kind !== 'many2one' || inverse.relation.target !== model.name) {
          report(`${addon}: ${model.name}.${name} needs ${relation.target}.${relation.inverse} to be a many2one back`)
        }
      }
    }
  }
}

function checkRelated(models: ReadonlyMap<string, Uncompiled>, report: Report): void {
  for (const model of models.values()) {
    for (const field of model.fields.values()) {
      const problem = relatedProblem(models, model, field)
      if (problem !== null) report(`${field.addon}: ${model.name}.${field.name} ${problem}`)
    }
  }
}
