import { type AppError, refusal } from '../errors.ts'

/** One mistake in a data file. */
export interface DataProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** All mistakes of an addon's data files as one error, a line each, in file order. */
export function dataError(addon: string, problems: readonly DataProblem[]): AppError {
  const lines = problems.map(({ file, line, reason }) => `${addon}/${file}:${line}: ${reason}`)
  return refusal('VALIDATION', 'data_invalid', `The data of module ${addon} is not valid:\n${lines.join('\n')}`, {
    problems,
  })
}
