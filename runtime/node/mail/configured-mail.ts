import type { ConfiguredMail, MailServer } from '../../../kernel/mail/mail-server.ts'
import type { Config, ConfigKey } from '../../config.ts'

/** The name of each mail setting in the file and in the environment. */
const KEYS = {
  host: 'smtp_host',
  port: 'smtp_port',
  secure: 'smtp_secure',
  user: 'smtp_user',
  password: 'smtp_password',
  from: 'smtp_from',
} as const satisfies Readonly<Record<string, ConfigKey>>

/**
 * The mail server of the settings a process was started with; null if none of them is set. If any is set, none is taken from the database:
 * a password of the file must not be sent to a server that was entered on a page.
 */
export function configuredMail(config: Config): ConfiguredMail | null {
  const places = Object.entries(KEYS).flatMap(([name, key]) => {
    const place = config.placeOf(key)
    return place === undefined ? [] : [[name, place]]
  })
  if (places.length === 0) return null
  return { server: serverOf(config), places: Object.fromEntries(places) }
}

const serverOf = (config: Config): MailServer | null =>
  config.smtp_host === '' || config.smtp_from === null
    ? null
    : {
        host: config.smtp_host,
        port: config.smtp_port,
        secure: config.smtp_secure,
        user: config.smtp_user,
        password: config.smtp_password,
        from: config.smtp_from,
      }
