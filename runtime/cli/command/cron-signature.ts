import * as tick from '../../../handlers/internal/tick.ts'
import { signatureOf } from '../../../kernel/auth/signature.ts'
import type { CliCommand } from '../command.ts'
import { requireOwnSecret, withReadyHost } from '../with-host.ts'

export const cronSignatureCommand: CliCommand = {
  name: 'cron signature',
  summary: 'Print the signature with which a scheduler may call POST /internal/tick',
  options: {},
  async run(call) {
    const signature = await withReadyHost(call, async (host) => {
      await requireOwnSecret(host)
      return signatureOf(host.services.secretKey, tick.post)
    })
    return { json: { signature }, text: `X-Signature: ${signature}` }
  },
}
