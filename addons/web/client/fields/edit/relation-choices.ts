import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { CallError } from '../../net/errors.ts'
import { openRecord } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import { assignableDomain } from '../../store/assignable.ts'
import { createRecord, searchRead } from '../../store/queries.ts'
import type { Option } from '../../ui/combobox.tsx'
import { showError } from '../../ui/toasts.tsx'
import { aboutText, namesToRead } from '../value/about-text.ts'
import { labelOf } from '../value/control.ts'
import type { Link } from '../value/values.ts'
import { chooseFromAll } from './all-records.tsx'
import { type Choice, relationOf } from './relation.ts'
import { contextDefaults, offeredDomain } from './relation-domain.ts'
import { typedDomain } from './typed-domain.ts'

const mayCreate = ({ field, node, record }: FieldProps): boolean =>
  node.attrs['create'] !== '0' && record.related?.(field.name)?.access.create === true

const aboutOf = ({ field, record }: FieldProps) => record.related?.(field.name)?.about ?? []

const searchedOf = ({ field, record }: FieldProps) => record.related?.(field.name)?.searched ?? []

const OFFERED = 8

/** Archived records that are named where no other has the text, so that nobody creates one of them a second time. */
const ARCHIVED_NAMED = 3

export async function offeredChoices(
  props: FieldProps,
  typed: string,
  signal: AbortSignal,
  taken: readonly number[],
): Promise<readonly Option<Choice>[]> {
  const text = typed.trim()
  const model = relationOf(props)
  const about = aboutOf(props)
  const domain = await domainOf(props, taken, text !== '')
  const read = (where: WireDomain, limit: number) =>
    searchRead(services().rpc, model, [...domain, ...where], namesToRead(about), { limit, signal })
  // One more record than offered shows whether there are others. Records with a matching name come first.
  const byName = typedDomain(text, [])
  const searched = searchedOf(props)
  const named = await read(byName, OFFERED + 1)
  const left = text === '' || searched.length === 0 ? 0 : OFFERED + 1 - named.length
  const rows = left > 0 ? [...named, ...(await read(['!', ...byName, ...typedDomain(text, searched)], left))] : named
  const found = rows.slice(0, OFFERED).map((row): Option<Choice> => {
    const name = String(row['display_name'] ?? '')
    const note = aboutText(model, about, row)
    return { value: { kind: 'take', link: { id: row.id, name } }, label: name, ...(note !== '' && { note }) }
  })
  if (rows.length === 0 && text !== '' && model !== 'core.user')
    found.push(...(await archivedOf(model, [...domain, ...byName], signal)))
  const others: Option<Choice>[] =
    rows.length <= OFFERED
      ? []
      : [{ value: { kind: 'all', name: text, taken }, label: t('Show all…'), icon: 'search', isNew: true }]
  if (!mayCreate(props)) return [...found, ...others]
  const isThere = found.some(({ label }) => label.toLowerCase() === text.toLowerCase())
  return [
    ...found,
    ...others,
    ...(text === '' || isThere
      ? []
      : [
          {
            value: { kind: 'create', name: text } as const,
            label: t('Create “{name}”', { name: text }),
            icon: 'plus' as const,
            isNew: true,
          },
        ]),
    {
      value: { kind: 'edit', name: text },
      label: text === '' ? t('New…') : t('Create and edit…'),
      icon: 'pencil',
      isNew: true,
    },
  ]
}

async function archivedOf(model: string, domain: WireDomain, signal: AbortSignal): Promise<readonly Option<Choice>[]> {
  const limits = { archived: 'only', limit: ARCHIVED_NAMED, signal } as const
  const rows = await searchRead(services().rpc, model, domain, ['display_name'], limits)
  return rows.map(({ id, display_name }) => ({
    ...{ value: { kind: 'archived', id }, label: String(display_name), note: t('Archived') },
    ...{ icon: 'archive', isNew: true },
  }))
}

const domainOf = async (props: FieldProps, taken: readonly number[], isTyping: boolean): Promise<WireDomain> => [
  ...offeredDomain(props),
  ...(relationOf(props) === 'core.user' ? await assignable(props, taken, isTyping) : []),
  ...(taken.length > 0 ? [['id', 'not in', taken]] : []),
]

/** The domain of the users who can be made responsible for the record. */
function assignable({ field, record }: FieldProps, kept: readonly number[], isTyping: boolean): Promise<WireDomain> {
  const ids = record.id === null ? [] : [record.id]
  const changes = record.changes?.() ?? {}
  return assignableDomain({ model: record.model, field: field.name, ids, changes, kept }, isTyping)
}

export async function recordOfChoice(props: FieldProps, choice: Choice): Promise<Link | null> {
  if (choice.kind === 'take') return choice.link
  if (choice.kind === 'all') {
    const { taken, name: text } = choice
    const model = relationOf(props)
    const chosen = await chooseFromAll({
      title: labelOf(props),
      model,
      about: aboutOf(props),
      searched: searchedOf(props),
      domain: await domainOf(props, taken, true),
      text,
      mayCreate: mayCreate(props),
    })
    return chosen === 'new' ? recordOfChoice(props, { kind: 'edit', name: '' }) : chosen
  }
  if (choice.kind === 'archived') {
    const saved = await openRecord({ model: relationOf(props), id: choice.id })
    return saved && { id: saved[0], name: saved[1] }
  }
  const defaults = { ...contextDefaults(props.node), ...(choice.name !== '' && { name: choice.name }) }
  if (choice.kind === 'create') {
    try {
      return { id: await createRecord(services().rpc, relationOf(props), defaults), name: choice.name }
    } catch (error) {
      // Some models need more than a name; their form opens and asks for the rest.
      if (!(error instanceof CallError) || error.code !== 'VALIDATION') {
        showError(error)
        return null
      }
    }
  }
  const saved = await openRecord({ model: relationOf(props), defaults })
  return saved && { id: saved[0], name: saved[1] }
}
