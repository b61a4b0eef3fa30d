import { useState } from 'preact/hooks'
import type { WireKeyModel, WireKeyModels, WireKeyRight } from '../../../../../../kernel/admin/wire-keys.ts'
import { t, tn } from '../../../core/i18n.ts'
import { allMenus, appHue, appIcon } from '../../../router/menus.ts'
import { services } from '../../../services.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { RightsTable } from './rights-table.tsx'
import { chosenModels, RIGHTS, rightLabel, rightsIn, type ScopeDraft, toggleRight } from './scope.ts'

export interface ScopeMatrixProps {
  readonly found: WireKeyModels
  readonly draft: ScopeDraft
  readonly onChange: (draft: ScopeDraft) => void
}

/** Names of menus by model, for the search: users look for contacts, not for partners. */
function menuNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const { model, name } of allMenus(services().session.bootstrap.topMenus))
    if (model !== undefined) names.set(model, [...(names.get(model) ?? []), name])
  return names
}

/** Models by rights. Chosen models are always listed; the search finds the others. */
export function ScopeMatrix({ found, draft, onChange }: ScopeMatrixProps) {
  const [text, setText] = useState('')
  const chosen = new Set(chosenModels(draft))
  const menus = menuNames()
  const wanted = text.trim().toLowerCase()
  const shown = found.models.filter(({ model, label, isTechnical }) =>
    wanted === ''
      ? !isTechnical || chosen.has(model)
      : [label, model, ...(menus.get(model) ?? [])].some((word) => word.toLowerCase().includes(wanted)) ||
        chosen.has(model),
  )
  const hidden = wanted === '' ? found.models.length - shown.length : 0
  return (
    <div class="scopebox">
      <SearchBox
        class="scopeq"
        label={t('Search models')}
        placeholder={t('Search models, such as orders')}
        group={t('API keys')}
        text={text}
        onInput={setText}
      />
      <RightsTable
        notes={
          <>
            {shown.length === 0 && <p class="hint scopenone">{t('No model matches this search')}</p>}
            {hidden > 0 && (
              <p class="hint scopenone">
                {tn(
                  hidden,
                  '{n} technical model is found by searching.',
                  '{n} technical models are found by searching.',
                )}
              </p>
            )}
          </>
        }
      >
        {shown.map((model) => (
          <Row key={model.model} model={model} draft={draft} onChange={onChange} />
        ))}
      </RightsTable>
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
