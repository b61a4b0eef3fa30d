import type { BuildOptions } from 'esbuild'

/** The file that tells where the built files of the web client are. */
export const CLIENT_MANIFEST: string

/** Everything that decides what is built besides the content of the files that are read. */
export function clientRecipe(): Promise<string>

/** Builds the browser's files into `.build/web` and returns the source files they came from. */
export function buildClient(esbuild: typeof import('esbuild')): Promise<readonly string[]>

/** How code for the browser is bundled; tests build pages of their own by the same recipe. */
export function clientOptions(esbuild: typeof import('esbuild'), sprite?: string): BuildOptions
