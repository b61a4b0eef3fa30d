/** Builds what is out of date and returns how many files that were. Safe while another process does the same. */
export function build(): Promise<number>

/** The same for what a running service needs. */
export function buildService(): Promise<number>

/** What workerd needs switched on to run such a bundle. */
export const WORKER_COMPATIBILITY: { readonly date: string; readonly flags: readonly string[] }

/** Bundles another worker entry by the same recipe: one module, what it still imports, and the packages in it. */
export function bundleWorker(
  entry: string,
): Promise<{ readonly script: string; readonly imports: readonly string[]; readonly packages: readonly string[] }>
