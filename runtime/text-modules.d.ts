declare module '*.xml' {
  const text: string
  export default text
}

declare module '*.csv' {
  const text: string
  export default text
}

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.ttf' {
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}

declare module '*.txt' {
  const text: string
  export default text
}
