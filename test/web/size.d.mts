/** Most bytes of what a browser loads, compressed with gzip where that helps. */
export const BUDGETS: Readonly<Record<string, number>>

/** Sizes by the names of the budgets; what is not built yet is missing. */
export function measure(): Readonly<Record<string, number>>

/** What has no budget, or more than its budget. */
export function tooLarge(sizes: Readonly<Record<string, number>>): readonly (readonly [name: string, bytes: number])[]
