import { useEffect } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import type { OpenRecord, Person } from '../../../net/bus.ts'
import { services } from '../../../services.ts'
import { Avatar, hueOf } from '../../../ui/avatar.tsx'
import type { FormModel } from '../model/model.ts'
import { watchTyping } from './typing.ts'

/** Avatars after the first one; the others are only counted. */
const MAX_AVATARS = 3

export const firstName = ({ name }: Person): string => name.split(/\s+/)[0] ?? name

/** Tells the server which record is open here and in which field the user types, and shows other users who have it open. */
export function Presence({ form }: { readonly form: FormModel }) {
  useEffect(() => {
    const { bus } = services()
    const { id } = form
    const { model } = form.draft
    const stop = bus.on('presence', (events) => {
      const last = events.findLast((event) => event.model === model && event.id === id)
      if (last) form.others.value = last.users
    })
    let here: OpenRecord
    const say = (doing?: string) => {
      here = { model, id, ...(doing !== undefined && { doing }) }
      bus.present.value = here
    }
    say()
    const stopTyping = watchTyping(say)
    return () => {
      stop()
      stopTyping()
      if (bus.present.peek() === here) bus.present.value = null
    }
  }, [form])
  const [first, ...rest] = form.others.value
  const more = rest.length - MAX_AVATARS
  return (
    <span class="present" role="status">
      {first && (
        <span class="here" data-hue={hueOf(first.id)} data-tip={first.name}>
          <Avatar id={first.id} name={first.name} isNamed />
          <span>{t('{name} is here', { name: firstName(first) })}</span>
        </span>
      )}
      {rest.length > 0 && (
        <span class="avs wide">
          {rest.slice(0, MAX_AVATARS).map((person) => (
            <span key={person.id} data-tip={person.name}>
              <Avatar id={person.id} name={person.name} isOnline />
            </span>
          ))}
          {more > 0 && <span class="fs12 t3">+{more}</span>}
        </span>
      )}
    </span>
  )
}
