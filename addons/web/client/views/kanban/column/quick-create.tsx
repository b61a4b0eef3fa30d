import { signal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { drawField, findField } from '../../../core/registries.ts'
import { CallError } from '../../../net/errors.ts'
import { openRecord } from '../../../router/open-record.ts'
import { services } from '../../../services.ts'
import { createDraft } from '../../../store/draft.ts'
import { recordOfDraft } from '../../../store/draft-record.ts'
import { createRecord } from '../../../store/queries.ts'
import type { Values } from '../../../store/records.ts'
import { Button } from '../../../ui/button.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { quickFields } from '../model/arch.ts'
import type { Board, BoardColumn } from '../model/board.ts'
import { valueInColumn } from '../model/column-value.ts'
import { isMovable } from '../model/columns.ts'
import { addCard } from '../model/create.ts'

/** Types with short values. Two such fields share a row if their labels, shown inside while they are empty, are short as well. */
const HALVES: ReadonlySet<string> = new Set(['monetary', 'selection'])
const FITS_HALF = 12

/** Form for a new card inside its column. If the record needs more fields, its full form opens. */
export function QuickCreate({ board, column }: { readonly board: Board; readonly column: BoardColumn }) {
  const { arch } = board
  const box = useRef<HTMLFormElement>(null)
  const id = useId()
  const [round, setRound] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isTyped = useRef(false)
  const group = board.field.peek()
  const item = board.item.peek()
  // In the column for unset values the field is sent as null, which overrides the default of new records.
  const own = group && isMovable(item, group) ? valueInColumn(group, item, column, null, null) : null
  const given: Values = group && own ? { [group.name]: own.show } : {}
  const shown = useMemo(() => (arch.hasQuickCreate ? quickFields(arch, group?.name ?? '') : null), [arch, group])
  const draft = useMemo(() => {
    isTyped.current = false
    const initial = { ...board.workspace.peek().defaults, ...given }
    return createDraft({ model: arch.model, id: null, fields: arch.fields, base: signal({}), initial })
  }, [round])
  const record = useMemo(() => recordOfDraft(draft, { related: arch.related }), [draft])
  const close = () => {
    board.creating.value = null
  }

  const toForm = async (values: Values) => {
    close()
    const saved = await openRecord({ model: arch.model, defaults: values })
    if (saved) await addCard(board, column, saved[0])
  }
  const values = (): Values => ({
    ...board.workspace.peek().defaults,
    ...draft.toValues(),
    ...(group && own && { [group.name]: own.send }),
  })

  useEffect(() => {
    // Without fields to fill in here, the full form opens at once.
    if (!shown) void toForm(values())
  }, [])
  useReturnedFocus(box)
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>('input')?.focus()
  }, [round])
  if (!shown) return null

  const title = shown[0]?.field
  const titleField = title?.name ?? ''
  const submit = async () => {
    const text = draft.get(titleField)
    if (isBusy) return
    if (text === null || text === '') {
      setProblem(t('{field} is required.', { field: title?.label ?? '' }))
      return box.current?.querySelector<HTMLElement>('input')?.focus()
    }
    setBusy(true)
    try {
      const made = await createRecord(services().rpc, arch.model, values())
      await addCard(board, column, made)
      setRound(round + 1)
    } catch (error) {
      // Required fields are missing that this form does not show.
      if (error instanceof CallError && error.code === 'VALIDATION') await toForm(values())
      else showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      key={round}
      class="card form"
      aria-label={t('New card in {column}', { column: column.label })}
      aria-busy={isBusy}
      ref={box}
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.isComposing) return
        if (event.key === 'Escape') {
          event.preventDefault()
          // If something was typed, the first Escape only leaves the field and the second one closes the form.
          if (isTyped.current && event.target !== box.current) box.current?.focus()
          else close()
        }
        event.stopPropagation()
      }}
    >
      {shown.map(({ node, field }) => (
        <div key={field.name} class={HALVES.has(field.type) && field.label.length <= FITS_HALF ? 'half' : ''}>
          <label class="vh" for={`${id}-${field.name}`}>
            {field.label}
          </label>
          {drawField(findField('dialog', field.type), {
            field,
            node: { ...node, attrs: { ...node.attrs, widget: '', placeholder: field.label } },
            record,
            value: draft.get(field.name),
            id: `${id}-${field.name}`,
            readonly: false,
            required: field.name === titleField,
            error: field.name === titleField ? problem : null,
            view: 'dialog',
            onChange: (value) => {
              isTyped.current = true
              setProblem(null)
              draft.set(field.name, value)
            },
          })}
          {field.name === titleField && problem !== null && (
            <span class="err" id={`${id}-${field.name}-error`} role="alert">
              {problem}
            </span>
          )}
        </div>
      ))}
      <div class="hs acts">
        <Button label={t('Add')} kind="primary" size="sm" type="submit" keys="enter" isBusy={isBusy} />
        <Button label={t('Edit all')} kind="ghost" size="sm" onClick={() => void toForm(values())} />
        <span class="end">
          <Button label={t('Close')} icon="x" iconOnly kind="ghost" size="sm" onClick={close} />
        </span>
      </div>
    </form>
  )
}

/** Gives the focus back when the form closes: to what opened it, otherwise to the first card of the column. */
function useReturnedFocus(box: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const opener = document.activeElement
    const column = box.current?.closest('[data-column]')
    return () =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
        const target = isThere ? opener : column?.querySelector<HTMLElement>('[data-card] h3 a, button')
        target?.focus()
      })
  }, [])
}
