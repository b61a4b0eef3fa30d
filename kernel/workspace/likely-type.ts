import type { Env } from '../env.ts'
import { isContentViewType } from '../view/arch/arch.ts'

/** Which kind of view a page will most likely show, for loading its code early; what is wrong with a query is told later. */
export async function likelyType(env: Env, query: Readonly<Record<string, string>>): Promise<string> {
  const { view_type: asked = '', id, action } = query
  if (isContentViewType(asked)) return asked
  if (id !== undefined && id !== '0') return 'form'
  return (await env.views()).actions.get(Number(action))?.viewModes[0] ?? 'list'
}
