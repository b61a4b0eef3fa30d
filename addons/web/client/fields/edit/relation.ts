import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { CallError } from '../../net/errors.ts'
import { openRecord } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import { createRecord, searchNames } from '../../store/queries.ts'
import type { Option } from '../../ui/combobox.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { Link } from '../value/values.ts'
import { archDomain, contextDefaults } from './relation-domain.ts'

/** What the user can do with the text typed into a relation. */
export type Choice =
  | { readonly kind: 'take'; readonly link: Link }
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'edit'; readonly name: string }

export const relationOf = ({ field }: Pick<FieldProps, 'field'>): string => field.relation ?? ''

/** The domain of records a field offers: that of the last onchange, otherwise that of the arch. */
export function offeredDomain({ field, node, record }: FieldProps): WireDomain {
  const { user, company } = services().session.bootstrap
  return (
    record.domainOf?.(field.name) ??
    archDomain(node.attrs['domain'], { record, uid: user.id, companyId: company.id, today: today() })
  )
}

const mayCreate = ({ field, node, record }: FieldProps): boolean =>
  node.attrs['create'] !== '0' && record.related?.(field.name)?.access.create === true

const OFFERED = 8

/** Options for a typed text: matching records without those in `taken`, and the items to create one. */
export async function findOptions(
  props: FieldProps,
  typed: string,
  signal: AbortSignal,
  taken: readonly number[] = [],
): Promise<readonly Option<Choice>[]> {
  const text = typed.trim()
  const domain = [...offeredDomain(props), ...(taken.length > 0 ? [['id', 'not in', taken]] : [])]
  const found = await searchNames(services().rpc, relationOf(props), text, domain, { limit: OFFERED, signal })
  const options = found.map(
    ([id, name]): Option<Choice> => ({ value: { kind: 'take', link: { id, name } }, label: name }),
  )
  if (!mayCreate(props)) return options
  const isThere = found.some(([, name]) => name.toLowerCase() === text.toLowerCase())
  return [
    ...options,
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

/** The record that results from the chosen option; null if the user cancelled or the request failed. */
export async function resolveChoice(props: FieldProps, choice: Choice): Promise<Link | null> {
  if (choice.kind === 'take') return choice.link
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
