import type { Translate } from '../i18n/translate.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { Addon } from './addon.ts'
import { type Catalogue, findAddon } from './graph.ts'
import type { ModuleRow } from './module-row.ts'

/** The words of a plan: kinds of records and fields as the reader knows them. */
export interface PlanWords {
  readonly t: Translate
  readonly kind: (model: Pick<Model, 'label'>) => string
}

export const wordsOf = (registry: Registry, lang: string): PlanWords => {
  const t = registry.translatorIn(lang)
  return { t, kind: ({ label }) => t(label) }
}

/** A module of the plan, which has the version of the program afterwards. */
export const rowOf = (modules: ReadonlyMap<string, ModuleRow>, { name, title, version }: Addon, t: Translate) => {
  const row = modules.get(name)
  return {
    name,
    title: t(title),
    from: row === undefined || row.state === 'uninstalled' ? null : row.version,
    to: version,
  }
}

/** Why a module has to stay, if others need it. */
export const neededProblems = (catalogue: Catalogue, needing: readonly string[], { t }: PlanWords): string[] =>
  needing.length === 0
    ? []
    : [
        t('Others need it: {modules}.', {
          modules: needing.map((name) => t(findAddon(catalogue, name).title)).join(', '),
        }),
      ]

/** Where the values of a field are; null: nowhere, since it is computed or the links are stored in other tables. */
export function tableOfValues(model: Model, { column, relation }: Field): { table: string; column?: string } | null {
  if (column !== null) return { table: model.table, column }
  return relation?.kind === 'many2many' ? { table: relation.table } : null
}
