import type { WireApiKey } from '../../../../../../kernel/admin/wire-keys.ts'
import { formatDatetime } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { RightsTable } from './rights-table.tsx'
import { RIGHTS, rightLabel } from './scope.ts'

/** Shows exactly what a key may do. Resolves to true if it is to be revoked. */
export const openKey = (key: WireApiKey): Promise<boolean> =>
  openDialog<boolean>((close) => (
    <Dialog
      title={key.name}
      class="newkey"
      onClose={() => close(false)}
      footer={
        <>
          {key.active && <Button label={t('Revoke')} kind="warn" onClick={() => close(true)} />}
          <Button label={t('Close')} kind="primary" onClick={() => close(false)} />
        </>
      }
    >
      <p class="t2">
        {t('Owner: {owner}. Made {time}.', { owner: key.owner.name, time: formatDatetime(key.createdAt, 'medium') })}
      </p>
      {key.scope.isWhole ? (
        <p class="note">
          <Icon name="shield" />
          <span>
            {key.scope.isReadOnly
              ? t('This key may read everything {name} may read.', { name: key.owner.name })
              : t('This key may do everything {name} may, but change logins, groups and keys of users.', {
                  name: key.owner.name,
                })}
          </span>
        </p>
      ) : (
        <div class="scopebox">
          <RightsTable>
            {key.scope.models.map(({ model, label, rights }) => (
              <tr key={model}>
                <th scope="row">
                  <span class="two">
                    <span>{label}</span>
                    <code class="mono t3">{model}</code>
                  </span>
                </th>
                {RIGHTS.map((right) => (
                  <td class="rt" key={right}>
                    <span
                      class={rights.includes(right) ? 'yes' : 'no'}
                      role="img"
                      aria-label={
                        rights.includes(right)
                          ? t('{right}: yes', { right: rightLabel(right) })
                          : t('{right}: no', { right: rightLabel(right) })
                      }
                    >
                      <Icon name={rights.includes(right) ? 'check' : 'minus'} />
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </RightsTable>
        </div>
      )}
      {key.scope.credentials && (
        <p class="note warning">
          <Icon name="triangle-alert" />
          <span>{t('It may also change logins, addresses, groups and keys of users.')}</span>
        </p>
      )}
    </Dialog>
  ))
