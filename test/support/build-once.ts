import { build } from '../../runtime/build/build.mjs'
import { oneAtATime } from './database.ts'

let built: Promise<number> | undefined

/**
 * Builds the program and the client, unless they are up to date. Once per worker, because it checks every source; and in one worker at a
 * time, since at first all of them need it at once.
 */
export function buildOnce(): Promise<number> {
  built ??= oneAtATime('build', build)
  return built
}
