import type { z } from 'zod'
import { badRequest } from '../errors.ts'

/** A value from outside in the shape a schema describes, or BAD_REQUEST naming the first wrong place. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, where = ''): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const path = pathText(where, issue.path)
  throw badRequest(path === '' ? issue.message : `${path}: ${issue.message}`, { path })
}

/** `args[1][0].name`, as one would write it in code. */
function pathText(where: string, path: readonly PropertyKey[]): string {
  let text = where
  for (const step of path) {
    text += typeof step === 'number' ? `[${step}]` : text === '' ? String(step) : `.${String(step)}`
  }
  return text
}
