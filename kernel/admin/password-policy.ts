import { Refusal } from '../model/fields/field.ts'
import { normalForm } from '../model/normal-form.ts'
import { COMMON_PASSWORDS, COMMON_STEMS, COMMON_TAILS } from './common-passwords.ts'

const MIN_LENGTH = 10
const MAX_LENGTH = 128

/** Why a password is refused; null if it is allowed. Counts characters after NFKC normalisation, as the hash does. */
export function refusePassword(password: string): Refusal | null {
  const { length } = [...normalForm(password, 'NFKC')]
  if (length < MIN_LENGTH) return new Refusal('Must have at least {count} characters.', { count: MIN_LENGTH })
  if (length > MAX_LENGTH) return new Refusal('Must have at most {count} characters.', { count: MAX_LENGTH })
  return isCommonPassword(password) ? new Refusal('This is one of the most common passwords; choose another.') : null
}

/** Whether the password is on the list, or is a listed word with one of the endings people add to reach a length. */
export function isCommonPassword(password: string): boolean {
  const text = normalForm(password, 'NFKC').toLowerCase()
  return (
    COMMON_PASSWORDS.has(text) ||
    new Set(text).size < 3 ||
    COMMON_TAILS.some((tail) => text.endsWith(tail) && COMMON_STEMS.has(text.slice(0, text.length - tail.length)))
  )
}
