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
