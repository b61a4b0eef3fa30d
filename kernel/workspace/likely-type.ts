import type { Env } from '../env.ts'
import { isContentViewType } from '../view/arch/arch.ts'

/** Guesses the kind of view that a page will show, to preload its code. Errors in the query are reported later. */
export async function likelyType(env: Env, query: Readonly<Record<string, string>>): Promise<string> {
  const { view_type: requested = '', id, action } = query
  if (isContentViewType(env.registry, requested)) return requested
  if (id !== undefined && id !== '0') return 'form'
  return (await env.views()).actions.get(Number(action))?.viewModes[0] ?? 'list'
}
