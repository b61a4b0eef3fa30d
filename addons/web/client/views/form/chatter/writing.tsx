import type { ReadonlySignal } from '@preact/signals'
import { t } from '../../../core/i18n.ts'
import type { Person } from '../../../net/bus.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { firstName } from '../live/presence.tsx'

/** Shows which users are writing a message at the record now. */
export function Writing({ others }: { readonly others: ReadonlySignal<readonly Person[]> }) {
  const writer = others.value.find(({ doing }) => doing === '@writing')
  return (
    <p class="writing" role="status">
      {writer && (
        <>
          <Avatar id={writer.id} name={writer.name} isNamed />
          {t('{name} is writing', { name: firstName(writer) })}
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        </>
      )}
    </p>
  )
}
