export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
