import type { Env } from '../../../env.ts'
import { invalid } from '../../../errors.ts'
import { Refusal } from '../../../model/fields/field.ts'

/** Reads a file; a `Refusal` becomes an error that says, in the language of the caller, why it cannot be read as a table. */
export async function readingFile<T>(env: Env, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid('file_invalid', { file: env.t(error.sentence, error.values) })
  }
}
