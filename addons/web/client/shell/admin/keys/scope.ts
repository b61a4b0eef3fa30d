import type { WireKeyModels, WireKeyRight, WireKeyScope } from '../../../../../../kernel/admin/wire-keys.ts'
import { formatList } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'

export const RIGHTS = ['read', 'write', 'create', 'unlink', 'call'] as const satisfies readonly WireKeyRight[]

export const rightLabel = (right: WireKeyRight): string =>
  ({ read: t('Read'), write: t('Change'), create: t('Create'), unlink: t('Delete'), call: t('Actions') })[right]

/** The scope of a new key as chosen in the dialog. */
export interface ScopeDraft {
  /** Everything the owner may; `rights` do not count then. */
  readonly isWhole: boolean
  readonly isReadOnly: boolean
  readonly credentials: boolean
  readonly rights: Readonly<Record<string, readonly WireKeyRight[]>>
}

export const EMPTY_SCOPE: ScopeDraft = { isWhole: false, isReadOnly: false, credentials: false, rights: {} }

/** The rights that count: a key that only reads has no others. */
export const rightsIn = ({ isReadOnly, rights }: ScopeDraft, model: string): readonly WireKeyRight[] =>
  (rights[model] ?? []).filter((right) => !isReadOnly || right === 'read')

export const chosenModels = (draft: ScopeDraft): readonly string[] =>
  Object.keys(draft.rights).filter((model) => rightsIn(draft, model).length > 0)

/** The draft with one right added or removed. The rights to change, delete or run actions include reading, to find the record. */
export function toggleRight(draft: ScopeDraft, model: string, right: WireKeyRight, mayRead: boolean): ScopeDraft {
  const now = draft.rights[model] ?? []
  const isOn = now.includes(right)
  const next = isOn
    ? now.filter((each) => each !== right)
    : [...new Set([...now, right, ...(mayRead && right !== 'create' ? (['read'] as const) : [])])]
  return { ...draft, rights: { ...draft.rights, [model]: RIGHTS.filter((each) => next.includes(each)) } }
}

/** The scope as stored with the key; null: everything its owner may do except credentials. */
export function keyScopeOf(
  draft: ScopeDraft,
  methods: WireKeyModels['methods'],
): Readonly<Record<string, unknown>> | null {
  const { isWhole, isReadOnly, credentials } = draft
  const scope = {
    ...(!isWhole && {
      models: Object.fromEntries(
        chosenModels(draft).map((model) => [model, rightsIn(draft, model).flatMap((right) => methods[right])]),
      ),
    }),
    ...(isReadOnly && { read_only: true }),
    ...(credentials && { credentials: true }),
  }
  return Object.keys(scope).length === 0 ? null : scope
}

export type KeyReach = 'everything' | 'writes' | 'reads' | 'nothing'

export const onlyReads = (rights: readonly WireKeyRight[]): boolean => rights.every((right) => right === 'read')

/** The most that a scope lets a key do. */
export function reachOf({ isWhole, isReadOnly, models }: WireKeyScope): KeyReach {
  if (isWhole) return isReadOnly ? 'reads' : 'everything'
  const rights = models.flatMap((each) => each.rights)
  return rights.length === 0 ? 'nothing' : onlyReads(rights) ? 'reads' : 'writes'
}

/** `Sales Order (Read, Change)`: the models of a scope with what may be done. */
export const describeRights = (
  models: readonly { readonly label: string; readonly rights: readonly WireKeyRight[] }[],
): string => formatList(models.map(({ label, rights }) => `${label} (${rights.map(rightLabel).join(', ')})`))
