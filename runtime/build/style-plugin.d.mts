import type * as Esbuild from 'esbuild'

export function stylePlugin(esbuild: typeof Esbuild, from: string): Esbuild.Plugin
