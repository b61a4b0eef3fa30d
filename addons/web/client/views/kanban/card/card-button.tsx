import { useState } from 'preact/hooks'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { deferred } from '../../../core/deferred.tsx'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import type { CardScope } from './card-content.tsx'

const questions = deferred(() => import('../../shared/act/ask-before.tsx'))

/** A button of the template: an action of the record, or another action. */
export function CardButton({ card, node }: { readonly card: CardScope; readonly node: ArchNode }) {
  const [isBusy, setBusy] = useState(false)
  const { name = '', string, icon } = node.attrs

  async function run(): Promise<void> {
    const { arch, id } = card
    const { rpc, records } = services()
    setBusy(true)
    const names = arch.fields.map((field) => field.name)
    try {
      const { pressOnRecord } = await questions.load()
      await pressOnRecord(arch.model, id, node.attrs, async () =>
        records.put(arch.model, await rpc.read(arch.model, [id], names)),
      )
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
