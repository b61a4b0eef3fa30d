import { AppError } from '../errors.ts'

/**
 * The result of `ask`, which runs with the caller's rights; undefined if it uses a model that the caller may not read, because of access
 * lines or the scope of a key. Every other error is thrown.
 */
export async function withinReach<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.reason === 'model_access') return undefined
    throw error
  }
}
