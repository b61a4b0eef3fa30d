import { AppError } from '../errors.ts'

/**
 * What server code finds out with the caller's rights; undefined where it asks for a model that the caller may not read, because of access
 * lines or the scope of a key. Every other refusal stays one.
 */
export async function withinReach<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.reason === 'model_access') return undefined
    throw error
  }
}
