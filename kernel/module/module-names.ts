import { z } from 'zod'
import { badRequest } from '../errors.ts'

/** One name or several. */
export type ModuleNames = readonly [string, ...string[]]

/** The name of a module, or several separated by commas, as a request has them. */
export const moduleNames = z
  .string()
  .max(4_000)
  .transform((text) => text.split(',') as unknown as ModuleNames)

/** Throws for several names, with which only an update works. */
export function requireSingle(names: ModuleNames, action: string): ModuleNames {
  if (names.length === 1 || action === 'update') return names
  throw badRequest('input_invalid', 'Only an update may be of several modules.')
}
