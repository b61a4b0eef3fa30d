/** What a text means, or why it means nothing. */
export type Parsed = { readonly value: unknown } | { readonly problem: string }
