import kernel from './0001_kernel.sql'

/** Kernel migrations in order. They only ever grow: a released file never changes (its checksum is kept). */
export const kernelMigrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001_kernel', sql: kernel },
]
