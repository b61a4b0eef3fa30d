import type { Env } from '../../env.ts'
import { read } from '../../orm/record/read.ts'
import { modelOf } from '../../orm/statement/scope.ts'
import { BATCH_MODEL } from './batch.ts'
import { type ColumnMapping, fieldOf } from './column/column.ts'
import type { Problem } from './record/record.ts'

/** What a batch stores of its last attempt: the columns that are not imported, and the problems of rows. */
export interface AttemptedImport {
  readonly left_out: readonly string[]
  readonly problems: readonly Problem[]
}

export async function readAttempt(env: Env, id: number): Promise<AttemptedImport> {
  const [row] = await read(env, modelOf(env, BATCH_MODEL), [id], ['headers', 'column_mapping', 'problems'])
  const mapping = row!['column_mapping'] as ColumnMapping
  const headers = row!['headers'] as readonly string[]
  return {
    left_out: headers.filter((header) => header !== '' && !fieldOf(mapping[header])),
    problems: (row!['problems'] ?? []) as readonly Problem[],
  }
}
