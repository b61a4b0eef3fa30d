import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireKeyModel, WireKeyModels, WireKeyRight } from '../../../../../../kernel/view/wire-admin.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t, tn } from '../../../core/i18n.ts'
import { appHue, appIcon } from '../../../router/menus.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { chosenModels, RIGHTS, rightLabel, rightsIn, type ScopeDraft, toggleRight } from './scope.ts'

export interface ScopeMatrixProps {
  readonly found: WireKeyModels
  readonly draft: ScopeDraft
  readonly onChange: (draft: ScopeDraft) => void
}

/** Models by rights. Chosen models are always listed; the search finds the others. */
export function ScopeMatrix({ found, draft, onChange }: ScopeMatrixProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(
    () => hotkeys.add({ keys: '/', label: t('Search'), group: t('API keys'), run: () => input.current?.focus() }),
    [],
  )
  const chosen = new Set(chosenModels(draft))
  const wanted = text.trim().toLowerCase()
  const shown = found.models.filter(({ model, label, isTechnical }) =>
    wanted === ''
      ? !isTechnical || chosen.has(model)
      : label.toLowerCase().includes(wanted) || model.includes(wanted) || chosen.has(model),
  )
  const hidden = wanted === '' ? found.models.length - shown.length : 0
  return (
    <div class="scopebox">
      <div class="scopeq">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={t('Search models')}
          placeholder={t('Search models, such as orders or sale.order')}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="wide">
          <Kbd keys="/" />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div class="scopescroll" tabIndex={0} role="region" aria-label={t('Models and rights')}>
        <table class="tbl scope">
          <thead>
            <tr>
              <th scope="col">{t('Model')}</th>
              {RIGHTS.map((right) => (
                <th scope="col" class="rt" key={right}>
                  {rightLabel(right)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((model) => (
              <Row key={model.model} model={model} draft={draft} onChange={onChange} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p class="hint scopenone">{t('No model matches this search')}</p>}
        {hidden > 0 && (
          <p class="hint scopenone">
            {tn(hidden, '{n} technical model is found by searching.', '{n} technical models are found by searching.')}
          </p>
        )}
      </div>
    </div>
  )
}

interface RowProps {
  readonly model: WireKeyModel
  readonly draft: ScopeDraft
  readonly onChange: (draft: ScopeDraft) => void
}

function Row({ model, draft, onChange }: RowProps) {
  const on = rightsIn(draft, model.model)
  const toggle = (right: WireKeyRight) =>
    onChange(toggleRight(draft, model.model, right, model.rights.includes('read')))
  return (
    <tr class={on.length > 0 ? 'sel' : ''}>
      <th scope="row">
        <span class="hs">
          <span class="tile" data-app={appHue(model.module)}>
            <Icon name={appIcon(model.module)} />
          </span>
          <span class="two">
            <span>{model.label}</span>
            <code class="mono t3">{model.model}</code>
          </span>
        </span>
      </th>
      {RIGHTS.map((right) => {
        const label = `${rightLabel(right)}: ${model.label}`
        return (
          <td class="rt" key={right}>
            {model.rights.includes(right) ? (
              <input
                type="checkbox"
                class="check"
                aria-label={label}
                checked={on.includes(right)}
                disabled={draft.isReadOnly && right !== 'read'}
                onChange={() => toggle(right)}
              />
            ) : (
              <span class="no" role="img" aria-label={t('{right}: no', { right: label })}>
                <Icon name="minus" />
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}
