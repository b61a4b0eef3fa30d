import { relative } from 'node:path'

/**
 * What an error in the code of an addon says, with file and line: `addons/fleet/models/car.ts:7: field.txt is not a function`. The
 * command line has Node name the lines of the sources in stacks; in a program without that the line is left out.
 */
export function explainAddonError(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return String(error)
  const [, after] = (error.stack ?? '').split(folder, 2)
  const place = /^([^\n]*?:\d+)(?::\d+)?\)?(?:\n|$)/.exec(after ?? '')?.[1]
  return place === undefined ? error.message : `${relative('', folder)}${place}: ${error.message}`
}
