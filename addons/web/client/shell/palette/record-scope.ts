import { t } from '../../core/i18n.ts'
import { appIcon, menuLocation } from '../../router/menus.ts'
import { services } from '../../services.ts'
import { entriesFor } from './create-entries.ts'
import { foundHref, type SearchedModel, searchedModels } from './found-records.ts'
import type { FoundRecord, PaletteEntry, PaletteScope } from './palette-entries.ts'

export const modelsToSearch = (): readonly SearchedModel[] =>
  searchedModels(services().session.bootstrap, menuLocation().peek().app?.module ?? null)

/** A record as a link to its form; Tab opens its scope. */
export function recordEntry(models: readonly SearchedModel[], record: FoundRecord): PaletteEntry {
  const { model, label, id, name, about } = record
  const searched = models.find((each) => each.model === model)
  return {
    key: `${model} ${id}`,
    label: name,
    ...(about !== '' && { note: about }),
    icon: appIcon(searched?.module ?? 'base'),
    ...(searched && { module: searched.module, kind: label, href: foundHref(searched, id) }),
    scope: recordScope(models, record),
  }
}

/** The scope of a record: a customer's orders, deals and contacts, and what can be created for it. */
function recordScope(models: readonly SearchedModel[], { model, id, name }: FoundRecord): PaletteScope {
  const searched = models.find((each) => each.model === model)
  const opened = searched
    ? [{ key: `${model} ${id}`, label: t('Open {name}', { name }), icon: 'arrow-right', href: foundHref(searched, id) }]
    : []
  return {
    label: name,
    icon: appIcon(searched?.module ?? 'base'),
    placeholder: t('Find in {name}', { name }),
    groups: () => [
      { label: t('Actions'), entries: [...opened, ...entriesFor(services().session.bootstrap, model, [id, name])] },
    ],
    find: { heading: t('Belongs to it'), models: models.map((each) => each.model), of: { model, id } },
  }
}
