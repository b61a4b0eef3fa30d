import { useState } from 'preact/hooks'
import type { WireLogLevel } from '../../../../../../kernel/admin/wire-log.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, ErrorState } from '../../../ui/empty.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { LEVELS, LogEntry } from './log-entry.tsx'
import { useLog } from './use-log.ts'
import '../admin.css'
import './log.css'

/** The shown part of the log, which is in the address, as fragment or as query parameters. */
interface LogPlace {
  readonly level?: string | undefined
  readonly q?: string | undefined
  readonly request?: string | undefined
}

const ALL: WireLogLevel = 'debug'

/**
 * The log of the service: by level, text and request, optionally live. It opens with entries that need attention; a link to a request shows
 * all its entries.
 */
export function Page({ route }: { readonly route: Route }) {
  const [isLive, setLive] = useState(false)
  const { q = '', request = '', ...asked }: LogPlace = { ...route.extra, ...route.params, ...route.state }
  const { level = request === '' ? 'warning' : ALL } = asked
  const log = useLog({ level, q, request }, isLive)
  const isFiltered = level !== ALL || q !== '' || request !== ''
  const isHealthy = level === 'warning' && q === '' && request === ''
  const go = (place: LogPlace) =>
    void services().router.go(changeRoute({ ...route, params: {}, extra: {} }, {}, { level, q, request, ...place }), {
      replace: true,
      isSibling: true,
    })
  return (
    <div class="view">
      <div class="ctlbar logbar">
        <SearchBox label={t('Search in messages')} group={t('Log')} text={q} onInput={(text) => go({ q: text })} />
        <span class="seg" role="group" aria-label={t('Level')}>
          {Object.entries(LEVELS).map(([name, label]) => (
            <button key={name} type="button" aria-pressed={level === name} onClick={() => go({ level: name })}>
              {name === ALL ? t('All') : t(label)}
            </button>
          ))}
        </span>
        {request !== '' && (
          <Button
            label={t('Request {id}', { id: request })}
            icon="x"
            size="sm"
            onClick={() => go({ request: undefined })}
          />
        )}
        <Switch class="end" label={t('Live')} isOn={isLive} onChange={setLive} />
      </div>
      <div class="scroll" data-scroll="log">
        {log.error !== null ? (
          <ErrorState error={log.error} onRetry={log.reload} />
        ) : log.rows === null ? (
          <DelayedSkeleton>
            <SkeletonRows />
          </DelayedSkeleton>
        ) : log.rows.length === 0 ? (
          <Empty
            {...(isHealthy
              ? { icon: 'circle-check', title: t('No warnings and no errors.') }
              : { icon: 'scroll-text', title: isFiltered ? t('Nothing in the log fits.') : t('The log is empty.') })}
            {...(isFiltered && {
              actions: (
                <Button
                  label={t('Show everything')}
                  onClick={() => go({ level: ALL, q: undefined, request: undefined })}
                />
              ),
            })}
          />
        ) : (
          <div class="adminpage">
            <ol class="panel logrows">
              {log.rows.map((entry) => (
                <LogEntry key={entry.id} entry={entry} onRequest={(id) => go({ level: ALL, request: id })} />
              ))}
            </ol>
            {log.hasOlder && (
              <p class="logolder">
                <Button label={t('Older entries')} onClick={log.loadOlder} />
              </p>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
