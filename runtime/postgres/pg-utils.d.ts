declare module 'pg/lib/utils.js' {
  /** A value as a parameter goes over the wire. */
  const utils: { prepareValue(value: unknown): unknown }
  export default utils
}
