import type { MailPort, MailTrial } from '../../kernel/mail/mail-trial.ts'

const SERVER = {
  host: 'mail.example.com',
  port: 587,
  secure: false,
  user: '',
  password: '',
  from: { name: 'Modulus', address: 'erp@example.com' },
}

/** A process with a mail server in its settings, for tests that look at the queue only. */
export const configuredMailPort = (trial: MailTrial = { ok: true, isEncrypted: true }): MailPort => ({
  configured: { server: SERVER, places: { host: 'svc.ini:3', from: 'SVC_SMTP_FROM' } },
  try: async () => trial,
})
