/** What `runtime/run-compiled.ts` gives the program; elsewhere there is no such name. */
declare const importOfRunner: ((specifier: string) => Promise<unknown>) | undefined

/** Loads a module by its name or address. Code that was compiled in an earlier run cannot do so by itself. */
export const importModule: (specifier: string) => Promise<unknown> =
  typeof importOfRunner === 'function' ? importOfRunner : (specifier) => import(specifier)
