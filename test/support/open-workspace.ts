import type { Env } from '../../kernel/env.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'
import { loadWorkspace, workspaceAnswer } from '../../kernel/workspace/workspace.ts'
import type { WorkspaceQuery } from '../../kernel/workspace/workspace-query.ts'

/** A workspace as the client gets it. */
export async function openWorkspace(env: Env, query: WorkspaceQuery): Promise<WireWorkspace> {
  const { body } = workspaceAnswer(await loadWorkspace(env, query, 'token'))
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array))
}
