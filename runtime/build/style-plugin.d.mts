import type * as Esbuild from 'esbuild'

export function stylePlugin(esbuild: typeof Esbuild, root: string, from: string): Esbuild.Plugin
