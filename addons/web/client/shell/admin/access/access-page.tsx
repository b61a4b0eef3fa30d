import type { WireAccessMatrix } from '../../../../../../kernel/admin/wire-access.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { ExplainPanel } from './explain-panel.tsx'
import { groupNames } from './groups.ts'
import { Matrix } from './matrix.tsx'
import { Pick } from './pick.tsx'
import '../admin.css'
import './access.css'

/** The user or group whose rights are shown, and the question about a record; all part of the address. */
export interface AccessPlace {
  readonly user?: string | undefined
  readonly group?: string | undefined
  readonly op?: string | undefined
  readonly model?: string | undefined
  readonly id?: string | undefined
  /** Name of the field of the question; absent: the whole record. */
  readonly field?: string | undefined
  /** Group of the what-if. */
  readonly if?: string | undefined
}

/** What a user or a role may do with each model, and why a user may or may not do something with a record. */
export function Page({ route }: { readonly route: Route }) {
  const place: AccessPlace = route.state
  const userId = Number(place.user ?? services().session.bootstrap.user.id)
  const subject = place.group === undefined ? `user=${userId}` : `group=${place.group}`
  const asked = useAsked<WireAccessMatrix>(`/web/settings/access?${subject}`, [
    'core.user',
    'core.group',
    'sys.access',
    'sys.rule',
  ])
  const go = (next: AccessPlace) =>
    void services().router.go(changeRoute(route, {}, { ...next }), { replace: true, isSibling: true })
  const matrix = asked.value
  if (matrix === null) return <LoadState asked={asked} />
  return (
    <div class="view">
      <div class="scroll" data-scroll="access">
        <div class="acc">
          <section class="panel" aria-label={t('What somebody may do')}>
            <header>
              <h2>{t('What may')}</h2>
              <Pick
                label={t('User or role')}
                value={subject}
                options={[
                  ...matrix.people.map(({ id, name }) => [`user=${id}`, name] as const),
                  ...[...groupNames(matrix)].map(([id, name]) => [`group=${id}`, t('Role: {name}', { name })] as const),
                ]}
                onChoose={(chosen) => {
                  const [kind, id] = chosen.split('=')
                  go(kind === 'user' ? { user: id, group: undefined } : { group: id })
                }}
              />
              <h2>{t('do?')}</h2>
            </header>
            <Matrix matrix={matrix} />
          </section>
          <ExplainPanel matrix={matrix} place={place} userId={userId} onGo={go} />
        </div>
      </div>
    </div>
  )
}
