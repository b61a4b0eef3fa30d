import type { SignedIn } from './fixture.ts'

/** A call with the session of a person. */
export function callAs<T = true>(
  person: SignedIn,
  model: string,
  method: string,
  args: readonly unknown[],
): Promise<T> {
  return person.page.evaluate(async (body) => {
    const { csrfToken } = window.__WC_BOOTSTRAP__ ?? { csrfToken: '' }
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    const answer = await fetch('/api/rpc', { method: 'POST', headers, body })
    const { ok, result, error } = await answer.json()
    if (!ok) throw new Error(error.message)
    return result
  }, JSON.stringify({ model, method, args }))
}
