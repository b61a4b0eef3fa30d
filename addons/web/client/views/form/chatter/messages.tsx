import { useEffect, useState } from 'preact/hooks'
import { dayOf, formatDate, formatTime } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import type { AsideProps } from '../../../core/registries.ts'
import { asides } from '../../../core/registries.ts'
import {
  type ChatterMessage,
  type ChatterPage,
  type ChatterPart,
  fetchMessages,
  type NewMessage,
  postMessage,
} from '../../../net/chatter.ts'
import { isAbort } from '../../../net/errors.ts'
import { onRecordChanges } from '../../../net/record-changes.ts'
import { services } from '../../../services.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SafeHtml } from '../../../ui/safe-html.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { formParts } from '../model/deferred-parts.ts'
import { textOfChange } from './change-text.ts'
import { Composer } from './composer.tsx'

/** The messages and tracked changes of a record, updated live, with a box to write a new message. */
export function Messages({ model, id, mayWrite, others }: AsideProps) {
  const { transport, session, bus } = services()
  const base = session.bootstrap.wcApiBase
  const [messages, setMessages] = useState<readonly ChatterMessage[] | null>(null)
  const [hasMore, setMore] = useState(false)
  const [created, setCreated] = useState<ChatterPage['created']>()
  const [isRefused, setRefused] = useState(false)
  const [only, setOnly] = useState<ChatterPart>()
  const part = { model, resId: id, ...(only && { only }) }
  const parts = formParts.value

  async function load(signal?: AbortSignal): Promise<void> {
    try {
      const page = await fetchMessages(transport, base, part, signal)
      const oldest = page.messages.at(-1)?.id ?? 0
      setCreated(page.created)
      setMessages((known) => {
        // Older messages that were loaded on demand stay.
        const older = known?.filter((message) => message.id < oldest) ?? []
        setMore((isMore) => (older.length > 0 ? isMore : page.more))
        return [...page.messages, ...older]
      })
    } catch (error) {
      if (!isAbort(error)) setRefused(true)
    }
  }
  async function loadOlder(): Promise<void> {
    const oldest = messages?.at(-1)
    if (!oldest) return
    try {
      const page = await fetchMessages(transport, base, { ...part, before: oldest.id })
      setMessages([...(messages ?? []), ...page.messages])
      setMore(page.more)
      setCreated(page.created)
    } catch (error) {
      showError(error)
    }
  }
  async function post(content: NewMessage['content'], kind: NewMessage['kind']): Promise<boolean> {
    try {
      const message = await postMessage(transport, { model, resId: id, content, kind })
      setMessages([message, ...(messages ?? []).filter((each) => each.id !== message.id)])
      // If only changes are shown, the new message would not be visible.
      if (only === 'changes') setOnly(undefined)
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }

  useEffect(() => {
    const abort = new AbortController()
    const again = () => void load(abort.signal)
    again()
    const isOurs = (event: { readonly model: string; readonly id: number }) => event.model === model && event.id === id
    const stops = [
      bus.on('chatter.posted', (events) => events.some(isOurs) && again()),
      // A save may have added a tracked change; own ones show without waiting for the event.
      onRecordChanges(
        bus,
        [model],
        (changes) =>
          (changes === null || changes.some((change) => isOurs(change) && change.kind !== 'deleted')) && again(),
      ),
      services().rpc.onChanged((changed, ids) => changed === model && ids.includes(id) && again()),
    ]
    return () => {
      abort.abort()
      for (const stop of stops) stop()
    }
  }, [model, id, only])

  return (
    <section class="chatter" aria-label={t('Activity and messages')}>
      <header>
        <h2 class="grow">{t('Activity')}</h2>
        {parts && (
          <parts.PartChoice
            only={only}
            onChoose={(next) => {
              setOnly(next)
              setMessages(null)
            }}
          />
        )}
      </header>
      {mayWrite && <Composer others={others} onPost={post} />}
      {parts && <parts.Writing others={others} />}
      <div
        class="scroll"
        {...SCROLLED_BY_KEYS}
        role="region"
        aria-label={t('Messages')}
        aria-busy={messages === null && !isRefused}
      >
        {isRefused && <p class="hint pad">{t('The messages could not be loaded.')}</p>}
        {messages?.length === 0 && only && <p class="hint pad">{t('Nothing of this kind yet.')}</p>}
        {byDay(messages ?? []).map(([day, those]) => (
          <div key={day}>
            <h3 class="day">{dayName(day)}</h3>
            {those.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </div>
        ))}
        {!hasMore && !only && created && <Created {...created} after={messages?.at(-1)} />}
        {hasMore && (
          <p class="pad">
            <Button label={t('Show older')} kind="ghost" size="sm" onClick={() => void loadOlder()} />
          </p>
        )}
      </div>
    </section>
  )
}

/** Makes the scrolling area focusable, so that it can be scrolled by keyboard. */
const SCROLLED_BY_KEYS = { tabIndex: 0 }

/** Groups messages by day and keeps their order, which is newest first. */
function byDay(messages: readonly ChatterMessage[]): readonly (readonly [string, readonly ChatterMessage[]])[] {
  const days = new Map<string, ChatterMessage[]>()
  for (const message of messages) {
    const day = dayOf(message.date)
    days.set(day, [...(days.get(day) ?? []), message])
  }
  return [...days]
}

function dayName(day: string): string {
  const today = dayOf(new Date().toISOString())
  return day === today ? t('Today') : formatDate(day, day.slice(0, 4) === today.slice(0, 4) ? 'weekday' : 'long')
}

function Message({ message }: { readonly message: ChatterMessage }) {
  const { author, kind, body, date, changes } = message
  if (kind === 'tracking') {
    return (
      <article class="msg log">
        <span class="ev">
          <Icon name="git-commit-horizontal" />
        </span>
        <div class="text">
          <time dateTime={date}>{formatTime(date)}</time>
          {author && <b class="who">{author[1]}</b>}
          {changes.map((change) => (
            <span class="track" key={change.field}>
              <span>{change.label}</span>
              <del>{textOfChange(change.old, change.currency)}</del>
              <ins>
                <Icon name="arrow-right" />
                {textOfChange(change.new, change.currency)}
              </ins>
            </span>
          ))}
        </div>
      </article>
    )
  }
  const name = author?.[1] ?? t('System')
  return (
    <article class={`msg ${kind === 'note' ? 'note' : ''}`}>
      <Avatar id={author?.[0] ?? 0} name={name} size="m" isNamed />
      <div>
        <div class="by">
          <b>{name}</b>
          <time dateTime={date}>{formatTime(date)}</time>
          {kind === 'note' && <span class="fs12 t3">{t('internal note')}</span>}
        </div>
        <div class="text">
          <SafeHtml class="richtext" html={body} />
        </div>
      </div>
    </article>
  )
}

interface CreatedProps extends NonNullable<ChatterPage['created']> {
  /** The message above it. */
  readonly after: ChatterMessage | undefined
}

/** The line about the creation of the record. */
const Created = ({ author, date, after }: CreatedProps) => (
  <>
    {(!after || dayOf(after.date) !== dayOf(date)) && <h3 class="day">{dayName(dayOf(date))}</h3>}
    <article class="msg log">
      <span class="ev">
        <Icon name="plus" />
      </span>
      <div class="text">
        <time dateTime={date}>{formatTime(date)}</time>
        {author ? (
          <>
            <b class="who">{author[1]}</b> {t('created this record')}
          </>
        ) : (
          t('Created')
        )}
      </div>
    </article>
  </>
)

/**
 * The aside of a form, next to it on wide screens and below it on narrow ones: the component an addon registered as
 * `chatter`, otherwise the messages of the record.
 */
export function Aside(props: AsideProps) {
  const Chatter = asides.get('chatter') ?? Messages
  return <Chatter {...props} />
}
