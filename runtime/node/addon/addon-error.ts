import { relative } from 'node:path'

/**
 * The message of an error in the code of an addon, with file and line: `addons/fleet/models/car.ts:7: field.txt is not a function`. The
 * command line enables source maps in Node for this; in a program without them the line is left out.
 */
export function explainAddonError(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return String(error)
  const [, after] = (error.stack ?? '').split(folder, 2)
  const place = /^([^\n]*?:\d+)(?::\d+)?\)?(?:\n|$)/.exec(after ?? '')?.[1]
  return place === undefined ? error.message : `${relative('', folder)}${place}: ${error.message}`
}
