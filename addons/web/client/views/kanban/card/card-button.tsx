import { useState } from 'preact/hooks'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { callAction } from '../../../store/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { showError } from '../../../ui/toasts.tsx'
import type { CardScope } from './card-content.tsx'

/** A button of the template: an action of the record, or another action. */
export function CardButton({ card, node }: { readonly card: CardScope; readonly node: ArchNode }) {
  const [isBusy, setBusy] = useState(false)
  const { name = '', type, string, icon, confirm: question } = node.attrs
  const { rpc, router, records } = services()

  async function run(): Promise<void> {
    const { arch, id } = card
    if (question !== undefined && !(await confirm({ title: question, action: string ?? t('Go on') }))) return
    if (type === 'action') return void (await router.go(`/web?action=${Number(name)}`))
    setBusy(true)
    try {
      const result = await callAction(rpc, arch.model, id, name)
      if (result !== true) return void (await router.go(result.redirect))
      const names = arch.fields.map((field) => field.name)
      records.put(arch.model, await rpc.read(arch.model, [id], names))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      label={string ?? name}
      size="sm"
      kind="ghost"
      isBusy={isBusy}
      {...(icon !== undefined && { icon })}
      iconOnly={icon !== undefined && string === undefined}
      onClick={() => void run()}
    />
  )
}
