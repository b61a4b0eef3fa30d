import { useId, useState } from 'preact/hooks'
import type { WireModule } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { runModuleAction } from './module-action.ts'

/** What an uninstall would delete, as returned by the action `preview`. */
interface Preview {
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly columns: readonly { readonly table: string; readonly column: string; readonly rows: number }[]
  readonly records: Readonly<Record<string, number>>
}

/** Shows what an uninstall would delete and asks to type the name of the module. False if it was cancelled. */
export async function confirmUninstall(module: WireModule): Promise<boolean> {
  const answer = await runModuleAction(module.name, 'preview')
  if (answer === null) return false
  // The result of an action is untyped; `preview` returns this shape.
  const preview = answer.result as Preview
  return openDialog<boolean>((close) => <UninstallDialog module={module} preview={preview} onDone={close} />)
}

interface UninstallDialogProps {
  readonly module: WireModule
  readonly preview: Preview
  readonly onDone: (isMeant: boolean) => void
}

function UninstallDialog({ module, preview, onDone }: UninstallDialogProps) {
  const [typed, setTyped] = useState('')
  const form = useId()
  const input = useId()
  const isMeant = typed === module.name
  const lines = [
    ...preview.tables.map(({ table, rows }) => ({ what: table, rows, fate: t('set aside') })),
    ...preview.columns.map(({ table, column, rows }) => ({ what: `${table}.${column}`, rows, fate: t('set aside') })),
    ...Object.entries(preview.records).map(([model, rows]) => ({ what: model, rows, fate: t('deleted') })),
  ]
  return (
    <Dialog
      title={t('Uninstall {module}', { module: module.title })}
      class="uninstall"
      onClose={() => onDone(false)}
      footer={
        <>
          <Button label={t('Keep it')} onClick={() => onDone(false)} />
          <Button label={t('Uninstall')} kind="danger" type="submit" form={form} disabled={!isMeant} />
        </>
      }
    >
      <p class="t2">
        {t('This takes the module and its menus away. What is set aside comes back with a later install.')}
      </p>
      {lines.length > 0 && (
        <div class="scroll-x">
          <table class="tbl prev">
            <thead>
              <tr>
                <th scope="col">{t('What goes')}</th>
                <th scope="col" class="num">
                  {t('Records')}
                </th>
                <th scope="col">{t('Then')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ what, rows, fate }) => (
                <tr key={what}>
                  <th scope="row" class="mono">
                    {what}
                  </th>
                  <td class="num">{formatInteger(rows)}</td>
                  <td class="t2">{fate}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <form
        id={form}
        class="field"
        onSubmit={(event) => {
          event.preventDefault()
          if (isMeant) onDone(true)
        }}
      >
        <label class="label" for={input}>
          {t('Type {name} to confirm', { name: module.name })}
        </label>
        <input
          class="input"
          id={input}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
