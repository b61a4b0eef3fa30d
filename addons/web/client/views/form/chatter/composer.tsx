import { useCallback, useId, useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import type { AsideProps } from '../../../core/registries.ts'
import type { Person } from '../../../net/bus.ts'
import type { NewMessage } from '../../../net/chatter.ts'
import { Button } from '../../../ui/button.tsx'
import { formParts } from '../model/deferred-parts.ts'
import { plainBox, type WritingBox } from './writing-box.ts'

interface ComposerProps extends Pick<AsideProps, 'others'> {
  readonly onPost: (content: NewMessage['content'], kind: NewMessage['kind']) => Promise<boolean>
}

/** The box for a new message: plain text, until the user switches to formats. */
export function Composer({ others, onPost }: ComposerProps) {
  const [text, setText] = useState('')
  /** The message with its formats; null: plain text. */
  const [html, setHtml] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [box, setBox] = useState<WritingBox | null>(null)
  const people = useRef<Person[]>([])
  const id = useId()
  const parts = formParts.value
  const openPlain = useCallback(
    (area: HTMLTextAreaElement | null) => setBox(area && plainBox(area, (person) => people.current.push(person))),
    [],
  )

  const send = async (kind: NewMessage['kind']) => {
    if ((html ?? text).trim() === '' || isBusy) return
    setBusy(true)
    const body = html ?? parts?.mentioningHtml(text, people.current)
    if (await onPost(body ? { body } : { text }, kind)) {
      setText('')
      setHtml(null)
      people.current = []
    }
    setBusy(false)
  }
  const sendByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send('comment')
  }
  return (
    <div class="composer">
      {html === null || !parts ? (
        <>
          <label class="vh" for={id}>
            {t('Message')}
          </label>
          <textarea
            ref={openPlain}
            id={id}
            rows={2}
            value={text}
            placeholder={t('Write a message')}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={sendByKeys}
          />
        </>
      ) : (
        <parts.RichMessage html={html} onChange={setHtml} onOpen={setBox} onKeyDown={sendByKeys} />
      )}
      {parts && box && <parts.Mentions key={box.element.tagName} box={box} others={others} />}
      <div class="foot">
        {parts && box && (
          <parts.ComposerTools
            box={box}
            {...(html === null && { onFormat: () => setHtml(parts.htmlOfMessage(text, people.current)) })}
          />
        )}
        {/* Enabled also while it is sent, so that the pressed one keeps the focus. */}
        <span class="end hs">
          <Button label={t('Log note')} kind="ghost" size="sm" onClick={() => void send('note')} />
          <Button label={t('Send')} size="sm" keys="mod+enter" onClick={() => void send('comment')} />
        </span>
      </div>
    </div>
  )
}
