import type { WireWorkspace } from '../../../../kernel/view/wire.ts'
import type { SendOptions, Transport } from './transport.ts'

/** Loads a workspace by the query of its page; the address is the one the shell page preloads. */
export async function fetchWorkspace(
  transport: Transport,
  base: string,
  query: string,
  options: Partial<Pick<SendOptions, 'signal' | 'plain' | 'repeatable'>> = {},
): Promise<WireWorkspace> {
  const { json } = await transport.send(`${base}/workspace${query === '' ? '' : `?${query}`}`, {
    method: 'GET',
    repeatable: true,
    ...options,
  })
  // The server answers with this type: kernel/view/wire.ts is shared.
  return json as WireWorkspace
}
