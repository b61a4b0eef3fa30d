import type { Hotkey } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { groupByKey } from '../../search/query/group-by-key.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { spokenKeys } from './spoken-keys.ts'
import './shortcuts.css'

/** Overview of shortcuts, grouped by heading. */
export const drawShortcuts = (keys: readonly Hotkey[], close: () => void) => (
  <Dialog title={t('Keyboard shortcuts')} class="shortcuts" onClose={close}>
    {[...groupByKey(keys, ({ group }) => group ?? t('General'))].map(([group, members]) => (
      <section key={group}>
        <h3>{group}</h3>
        <dl>
          {members.map(({ keys: combination, label }) => (
            <div key={combination}>
              <dt>{label}</dt>
              <dd>
                <Kbd keys={combination} />
                <span class="vh">{spokenKeys(combination)}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
)
