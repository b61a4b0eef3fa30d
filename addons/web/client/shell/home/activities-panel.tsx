import { useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DelayedSkeleton } from '../../ui/skeleton.tsx'
import { type Activity, type ActivityList, describeDue } from './activities.ts'
import type { Loaded } from './use-loaded.ts'

const AT_FIRST = 6

interface PanelProps {
  readonly loaded: Loaded<ActivityList>
  readonly today: string
}

/** The user's activities of all applications, oldest first. */
export function ActivitiesPanel({ loaded, today }: PanelProps) {
  const [isWhole, setWhole] = useState(false)
  const list = loaded.kind === 'there' ? loaded.value : null
  const shown = list?.shown.slice(0, isWhole ? undefined : AT_FIRST) ?? []
  return (
    <section class="panel" aria-labelledby="home-activities" aria-busy={loaded.kind === 'waiting'}>
      <header>
        <h2 id="home-activities">{t('Your activities')}</h2>
        {list !== null && list.shown.length > AT_FIRST && (
          <Button
            label={isWhole ? t('Show fewer') : allOf(list)}
            kind="ghost"
            size="sm"
            class="end"
            expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          />
        )}
      </header>
      {loaded.kind === 'waiting' && <Waiting />}
      {loaded.kind === 'failed' && <p class="none t2">{t('Not available at the moment.')}</p>}
      {list !== null && shown.length === 0 && (
        <p class="none t2">{t('Nothing is due. What is planned for you is listed here.')}</p>
      )}
      {shown.length > 0 && (
        <ul class="rows">
          {shown.map((activity) => (
            <ActivityRow key={activity.href} activity={activity} today={today} />
          ))}
        </ul>
      )}
    </section>
  )
}

const allOf = ({ shown, total }: ActivityList): string =>
  shown.length < total ? t('First {n} of {total}', { n: shown.length, total }) : t('All {n}', { n: total })

function ActivityRow({ activity, today }: { readonly activity: Activity; readonly today: string }) {
  const { href, title, about, due, icon } = activity
  const { user } = services().session.bootstrap
  const { text, urgency } = describeDue(due, today)
  return (
    <li>
      <a href={href} data-root>
        <span class="t3">
          <Icon name={icon} />
        </span>
        <span class="grow cut">
          {title}
          {about !== '' && <span class="t3">{`, ${about}`}</span>}
        </span>
        <time class={`act ${urgency}`} dateTime={due}>
          {text}
        </time>
        <Avatar id={user.id} name={user.name} isNamed />
      </a>
    </li>
  )
}

const Waiting = () => (
  <DelayedSkeleton>
    <div class="rows" role="status" aria-label={t('Loading')}>
      {Array.from({ length: AT_FIRST }, (_, row) => (
        <div class="row" key={row}>
          <span class="sk" style={{ width: '16px', height: '16px' }} />
          <span class="sk" style={{ width: `${180 + ((row * 37) % 90)}px` }} />
        </div>
      ))}
    </div>
  </DelayedSkeleton>
)
