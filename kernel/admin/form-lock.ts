import type { Env } from '../env.ts'
import { isTrue } from '../expression/evaluate.ts'
import { namesOf, parseExpression } from '../expression/parse.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { read } from '../orm/record/read.ts'
import { ownFieldNodes } from '../view/arch/arch.ts'
import { pruneArch } from '../view/prune.ts'

/**
 * Why the form of the model shows a record, or one field of it, read-only to the user of `env`: the fields this depends on, a selection
 * with its value if the asker may know it. Empty: it is always read-only. Null: it is not, or the form does not have the field.
 */
export async function formLock(
  env: Env,
  model: Model,
  { id, field, isTold }: { readonly id: number; readonly field: Field | null; readonly isTold: boolean },
): Promise<readonly string[] | null> {
  const resolved = (await env.views()).resolve(model.name, 'form')
  if (resolved === null) return null
  const root = pruneArch(env, model.name, resolved.root)
  const places = field === null ? [] : ownFieldNodes(root).filter(({ attrs }) => attrs['name'] === field.name)
  const conditions = [[root], places].map((nodes) => nodes.map(({ attrs }) => attrs['readonly'] ?? '0'))
  const names = [...new Set(conditions.flat().flatMap((text) => namesOf(parseExpression(text))))].filter((name) =>
    model.fields.has(name),
  )
  const [values] = await read(env, model, [id], names)
  const scope = { values: values!, uid: env.user.id, today: env.now.toISOString().slice(0, 10) }
  // A field that appears in several places is read-only only if it is in all of them.
  const locking = conditions.find(
    (texts) => texts.length > 0 && texts.every((text) => isTrue(parseExpression(text), scope)),
  )
  if (locking === undefined) return null
  return names
    .filter((name) => locking.some((text) => namesOf(parseExpression(text)).includes(name)))
    .map((name) => nameOf(env, model.fields.get(name)!, isTold ? values![name] : null))
}

const nameOf = ({ t }: Env, { label, selection }: Field, value: unknown): string => {
  const choice = selection?.get(String(value))
  return choice === undefined ? t(label) : `${t(label)}: ${t(choice)}`
}
