/** "1 record", "2 records"; `many` where the plural has no plain s. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
