import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { t, tn } from '../../../core/i18n.ts'
import { labelOf } from '../../../fields/value/control.ts'
import { Icon } from '../../../ui/icon.tsx'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { isReadonly } from '../model/read-only.ts'
import { Dismiss } from '../save/dismiss.tsx'
import { showField } from '../save/focus.ts'

/** Notices above the record: problems that prevent saving, and that a draft was restored. */
export const Notices = ({ form }: { readonly form: FormModel }) => (
  <>
    <Problems form={form} />
    {form.notice.value?.kind === 'restored' && (
      <div class="note info" role="status">
        <Icon name="history" />
        <span class="grow">{t('These are your changes from before; they are not saved yet.')}</span>
        <Dismiss form={form} />
      </div>
    )}
  </>
)

/** List of all errors that prevent saving, each a link to its field. */
function Problems({ form }: { readonly form: FormModel }) {
  const wrong = { ...form.errors.value, ...form.invalid.value }
  const names = Object.keys(wrong)
  if (names.length === 0) return null
  const nodes = form.arch.fieldNodes.filter(
    ({ attrs }, index, all) =>
      wrong[attrs['name'] ?? ''] !== undefined &&
      all.findIndex((other) => other.attrs['name'] === attrs['name']) === index,
  )
  const elsewhere = names.filter((name) => !nodes.some(({ attrs }) => attrs['name'] === name))
  return (
    <div class="note danger problems" role="alert">
      <Icon name="circle-alert" />
      <div class="grow">
        <b>{tn(names.length, 'One value keeps this from being saved.', '{n} values keep this from being saved.')}</b>
        <ul>
          {nodes.map((node) => (
            <li key={node.attrs['name']}>
              <button type="button" class="link" onClick={() => showField(form, node)}>
                {problemText(form, node, wrong[node.attrs['name'] ?? ''] ?? '')}
              </button>
            </li>
          ))}
          {elsewhere.map((name) => (
            <li key={name}>{wrong[name]}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The label of the field, which shows the message itself; with the message if the field cannot be edited or has lines. */
function problemText(form: FormModel, node: ArchNode, message: string): string {
  const field = form.arch.fields.get(node.attrs['name'] ?? '')
  const label = field ? labelOf({ node, field }) : ''
  if (label !== '' && !(field && isX2many(field)) && !isReadonly(form, node)) return label
  return message.includes(label) ? message : t('{field}: {value}', { field: label, value: message })
}
