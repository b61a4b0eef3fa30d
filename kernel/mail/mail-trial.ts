import type { Mailbox } from './mail-address.ts'
import type { ConfiguredMail, MailServer } from './mail-server.ts'

/** Port: how a process sends mail. */
export interface MailPort {
  /** Null: the process was started without settings of mail, so those in the database are used. */
  readonly configured: ConfiguredMail | null
  /** Sends one mail at once. Never rejects, and ends within half a minute. */
  try(server: MailServer, mail: TrialMail): Promise<MailTrial>
}

export interface TrialMail {
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly messageId: string
}

/** What has to work, in this order. */
export type MailStep = 'name' | 'connection' | 'encryption' | 'sign_in' | 'message'

export type MailTrouble =
  | 'host_unknown'
  | 'refused'
  | 'unreachable'
  | 'no_answer'
  | 'no_mail_server'
  | 'turned_away'
  | 'no_tls'
  | 'certificate'
  | 'tls'
  | 'no_sign_in'
  | 'sign_in_refused'
  | 'sender_refused'
  | 'recipient_refused'
  | 'message_refused'
  | 'broken'

export type MailTrial = {
  /** Whether the connection was encrypted. It need not be without a password, or with a server on this machine. */
  readonly isEncrypted: boolean
} & (
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly step: MailStep
      readonly trouble: MailTrouble
      /** What the mail server said about it, if it is one. */
      readonly answer: string | null
    }
)
