import type { WireLogEntry, WireLogLevel } from '../../../../../../kernel/admin/wire-log.ts'
import { currentLocale } from '../../../core/format.ts'
import { msg, t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'

export const LEVELS: Readonly<Record<WireLogLevel, string>> = {
  debug: msg('Debug'),
  info: msg('Info'),
  warning: msg('Warning'),
  error: msg('Error'),
}

const TONES: Readonly<Record<WireLogLevel, string>> = { debug: '', info: 'info', warning: 'warning', error: 'danger' }

export interface LogEntryProps {
  readonly entry: WireLogEntry
  /** Shows the entries of the same request. */
  readonly onRequest: (id: string) => void
}

/** With seconds, since several things happen within a minute. */
function exactTime(time: string): string {
  const { tag, zone } = currentLocale()
  return new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone }).format(
    new Date(time),
  )
}

/** One entry: a line, and what is known about it when it is opened. */
export function LogEntry({ entry, onRequest }: LogEntryProps) {
  const { time, level, source, message, request_id, user } = entry
  return (
    <li>
      <details>
        <summary>
          <Icon name="chevron-right" size="s" class="chev" />
          <time class="t3 tn" dateTime={time} title={time}>
            {exactTime(time)}
          </time>
          <span class={`badge ${TONES[level]}`}>{t(LEVELS[level])}</span>
          <span class="t2 cut">{source}</span>
          <span class="logtext mono">{message}</span>
        </summary>
        <div class="logmore">
          <p class="hs wrap fs12">
            {request_id !== null && (
              <Button label={t('Request {id}', { id: request_id })} size="sm" onClick={() => onRequest(request_id)} />
            )}
            {user !== null && <span class="t2">{t('User {name}', { name: user })}</span>}
            <Button
              label={t('Copy as report')}
              icon="copy"
              size="sm"
              kind="ghost"
              onClick={() => void copyReport(entry)}
            />
          </p>
          <pre class="mono">{factsOf(entry)}</pre>
        </div>
      </details>
    </li>
  )
}

async function copyReport(entry: WireLogEntry): Promise<void> {
  const { time, level, source, request_id } = entry
  await navigator.clipboard.writeText(`${time} ${level} ${source} ${request_id ?? ''}\n${factsOf(entry)}`)
  showToast({ level: 'success', text: t('Copied') })
}

/** The message, each fact in a line, and the stack. */
function factsOf({ message, details: { stack, ...facts } }: WireLogEntry): string {
  const known = Object.entries(facts).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [message, ...known, ...(typeof stack === 'string' ? ['', stack] : [])].join('\n')
}
