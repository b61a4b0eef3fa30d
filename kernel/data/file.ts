/** A file of an addon, imported as a text module, so that bundlers and workerd include it. */
export interface TextFile {
  /** Path inside the addon; errors name it, and its ending says how it is read. */
  readonly name: string
  readonly text: string
}
