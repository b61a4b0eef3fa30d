import type { WireWorkspace } from '../../kernel/view/wire.ts'
import type { Agent, Envelope } from './agent.ts'

/** Parameters of a workspace. */
export type Params = Readonly<Record<string, string | number>>

export const askWorkspace = (agent: Agent, params: Params): Promise<Response> =>
  agent.get(
    `/web/wc/workspace?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, `${value}`]))}`,
  )

/** A workspace that must load. */
export async function openWorkspace(agent: Agent, params: Params): Promise<WireWorkspace> {
  const response = await askWorkspace(agent, params)
  const body: unknown = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  // The test compares it.
  return body as WireWorkspace
}

/** Why a workspace does not load. */
export async function refuseWorkspace(agent: Agent, params: Params) {
  const response = await askWorkspace(agent, params)
  const { error } = (await response.json()) as Envelope
  return { status: response.status, code: error?.code ?? 'OK', message: error?.message ?? '' }
}
