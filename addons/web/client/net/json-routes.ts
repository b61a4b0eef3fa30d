import { services } from '../services.ts'

/** The answer is `{ok, result}`; the caller names the type of its route's result. */
const resultOf = <T>(json: unknown): T => (json as { readonly result: T }).result

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const { json } = await services().transport.send(path, { method: 'GET', repeatable: true, ...(signal && { signal }) })
  return resultOf<T>(json)
}

/** Sends a change; asks for the password first if the server demands it. */
export async function postJson<T>(path: string, body: Readonly<Record<string, unknown>>): Promise<T> {
  const { json } = await services().transport.send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    repeatable: false,
  })
  return resultOf<T>(json)
}
