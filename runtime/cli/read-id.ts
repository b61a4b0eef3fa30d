import { UsageError } from './command.ts'

const MAX_ID = 2_147_483_647

/** The id given to a command; `what` is the kind of record, for the message. */
export function readId(text: string | undefined, what: string): number {
  const id = Number(text)
  if (!/^\d+$/.test(text ?? '') || id < 1 || id > MAX_ID)
    throw new UsageError(`Not the id of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}: ${text}.`)
  return id
}
