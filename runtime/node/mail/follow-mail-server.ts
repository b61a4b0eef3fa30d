import { type MailServer, readMailSetup } from '../../../kernel/mail/mail-server.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Smtp } from './smtp.ts'

export interface FollowedMailServer {
  /** Connections to the current mail server, kept while the settings do not change; null if none is set. */
  sender(): Promise<Smtp | null>
  close(): void
}

const LOCKED =
  'The mail password in the database cannot be opened: it was kept by a process with another secret (secret_key). ' +
  'Mails wait until the password is entered again under Settings, Operations, or this process has that secret.'

/** Follows the settings of mail. A mail that is being sent when they change is finished with the old ones. */
export function followMailServer(services: Services): FollowedMailServer {
  let known: { readonly server: MailServer; readonly smtp: Smtp } | null = null
  let isLocked = false
  const leave = () => {
    known?.smtp.close()
    known = null
  }
  return {
    async sender() {
      const setup = await readMailSetup(services, services.db)
      // Reported once, and not every second.
      if (setup.kind === 'locked' && !isLocked) services.observe({ kind: 'warning', text: LOCKED })
      isLocked = setup.kind === 'locked'
      if (setup.kind !== 'ready') {
        leave()
        return null
      }
      // With the first server, since a start need not wait for it.
      const { openSmtp } = await import('./smtp.ts')
      if (known === null || !isSame(known.server, setup.server)) {
        leave()
        known = { server: setup.server, smtp: openSmtp(setup.server) }
      }
      return known.smtp
    },
    close: leave,
  }
}

const isSame = (a: MailServer, b: MailServer): boolean => JSON.stringify(a) === JSON.stringify(b)
