import { useComputed } from '@preact/signals'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { holds } from '../../../core/expression.ts'
import { msg, t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton, type MenuItem } from '../../../ui/menu.tsx'
import { InTopbar } from '../../../ui/topbar-slot.tsx'
import { isDuplicate, recordActions } from '../action/actions.ts'
import { ArchButton } from '../action/arch-button.tsx'
import { runFormButton } from '../action/run-button.tsx'
import { classesOf } from '../model/arch.ts'
import { formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'
import { formHref } from '../model/navigate.ts'
import { findLock } from '../model/read-only.ts'
import { FormField } from '../sheet/field.tsx'
import { useFitting } from './use-fitting.ts'

const MAX_BUTTONS = 4

/** The bar above a record: its buttons, the menu with all other actions, and the status bar. */
export function Header({ form }: { readonly form: FormModel }) {
  const { arch, id, workspace } = form
  const shown = useComputed(() => {
    const scope = form.scope.value
    // A deleted or hidden record has no actions.
    if (form.entry?.deleted.value) return []
    return arch.buttons
      .filter((node) => isOffered(node, id !== null) && !holds(node.attrs['invisible'], scope))
      .toSorted(byWeight)
  })
  const buttons = shown.value
  const [bar, count] = useFitting<HTMLDivElement>(MAX_BUTTONS, buttons.map(({ attrs }) => attrs['name']).join())
  const rest = buttons.slice(count)
  const actions = recordActions(form)
  const items = (): readonly MenuItem[] => [
    ...rest.map((node) => ({
      label: node.attrs['string'] ?? node.attrs['name'] ?? '',
      ...(node.attrs['icon'] !== undefined && { icon: node.attrs['icon'] }),
      run: () => void runFormButton(form, node),
    })),
    ...recordActions(form).map((item, index) =>
      index === 0 && rest.length > 0 ? { ...item, isSeparated: true } : item,
    ),
  ]
  const menu = (rest.length > 0 || actions.length > 0) && (
    <MenuButton label={t('More actions')} icon="ellipsis" iconOnly kind="ghost" items={items} />
  )
  const hasBar = buttons.length > 0 || arch.steps.length > 0
  const Pager = formParts.value?.RecordPager
  const inTopbar = (
    <InTopbar>
      <span class="hs" data-sibling>
        {Pager && <Pager key={id} form={form} />}
        {id !== null && workspace.arch.access.create && (
          <Button
            label={t('New')}
            icon="plus"
            kind="ghost"
            size="sm"
            class="new-btn"
            href={formHref(workspace, null)}
          />
        )}
        {!hasBar && menu}
        {!hasBar && <Signs form={form} />}
      </span>
    </InTopbar>
  )
  if (!hasBar) return inTopbar
  return (
    <div class="ctlbar actbar worded">
      <div class="hs" ref={bar}>
        {buttons.slice(0, count).map((node, index) => (
          <ArchButton key={node.attrs['name']} form={form} node={node} {...kindOf(node, index)} />
        ))}
        {menu}
      </div>
      <div class="end">
        <Signs form={form} />
        {arch.steps.map((node) => (
          <FormField key={node.attrs['name']} form={form} node={node} style="inline" />
        ))}
        {inTopbar}
      </div>
    </div>
  )
}

const isDanger = ({ attrs }: ArchNode): boolean => classesOf(attrs['class']).has('danger')

export const isPrimary = ({ attrs }: ArchNode): boolean => classesOf(attrs['class']).has('primary')

const byWeight = (a: ArchNode, b: ArchNode): number => Number(isPrimary(b)) - Number(isPrimary(a))

/** Whether a button is shown in the bar. Actions need a saved record. Duplicate is in the menu instead. */
const isOffered = (node: ArchNode, isSaved: boolean): boolean =>
  (isSaved || node.attrs['special'] !== undefined) && !isDuplicate(node)

/** The look of a button: destructive ones are red. Of the others the first is filled if it is primary, the second has a border. */
const kindOf = (node: ArchNode, index: number) =>
  isDanger(node)
    ? { kind: 'warn' as const }
    : index === 0 && isPrimary(node)
      ? { kind: 'primary' as const }
      : index > 1
        ? { kind: 'ghost' as const }
        : {}

const LOCKS = {
  access: msg('You are not allowed to change this record.'),
  state: msg('Nothing can be changed in this state.'),
}

/** Badge for a record that cannot be edited, with the reason. */
function Locked({ form }: { readonly form: FormModel }) {
  const lock = useComputed(() => findLock(form))
  if (lock.value === null) return null
  return (
    <span class="badge" data-tip={t(LOCKS[lock.value])}>
      <Icon name="lock" size="s" />
      {t('Read-only')}
      <span class="vh">. {t(LOCKS[lock.value])}</span>
    </span>
  )
}

function Signs({ form }: { readonly form: FormModel }) {
  const Presence = formParts.value?.Presence
  return (
    <>
      {Presence && form.id !== null && <Presence key={form.id} form={form} />}
      <Locked form={form} />
      <Archived form={form} />
    </>
  )
}

/** Badge for an archived record, which otherwise looks like any other. */
function Archived({ form }: { readonly form: FormModel }) {
  const isArchived = useComputed(() => form.entry !== null && valuesOf(form.entry).value['active'] === false)
  if (!isArchived.value) return null
  return (
    <span class="badge">
      <Icon name="archive" size="s" />
      {t('Archived')}
    </span>
  )
}
