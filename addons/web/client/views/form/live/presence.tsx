import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import type { RecordRef } from '../../../net/bus.ts'
import { services } from '../../../services.ts'
import { Avatar, hueOf } from '../../../ui/avatar.tsx'

interface Person {
  readonly id: number
  readonly name: string
}

/** Avatars after the first one; the others are only counted. */
const MAX_AVATARS = 3

/** Tells the server which record is open here, and shows who else has it open. */
export function Presence({ model, id }: RecordRef) {
  const [others, setOthers] = useState<readonly Person[]>([])
  useEffect(() => {
    const { bus, session } = services()
    const self = session.bootstrap.user.id
    const stop = bus.on('presence', (events) => {
      const last = events.findLast((event) => event.model === model && event.id === id)
      if (last) setOthers(last.users.filter((user) => user.id !== self))
    })
    const here = { model, id }
    bus.present.value = here
    return () => {
      stop()
      if (bus.present.peek() === here) bus.present.value = null
    }
  }, [model, id])
  const [first, ...rest] = others
  const more = rest.length - MAX_AVATARS
  return (
    <span class="present" role="status">
      {first && (
        <span class="here" data-hue={hueOf(first.id)} data-tip={first.name}>
          <Avatar id={first.id} name={first.name} isNamed />
          <span>{t('{name} is here', { name: first.name.split(/\s+/)[0] ?? first.name })}</span>
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
