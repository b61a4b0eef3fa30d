/** A style sheet of a view: imported for its effect, adopted by the document when its chunk is loaded. */
declare module '*.css'
/** Whether this is a build of `npm run dev`. */
declare const __DEV__: boolean
/** Address of the icon sprite of this build. */
declare module 'modulus:icons' {
  const url: string
  export default url
}
