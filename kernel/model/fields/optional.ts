/** `T`, or `T | null` unless the options say `required: true`. */
export type Optional<O, T> = O extends { readonly required: true } ? T : T | null
