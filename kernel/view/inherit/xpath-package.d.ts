import 'xpath'

/** What the `xpath` package exports beyond its own declarations: the parser and the classes of the parsed expression. */
declare module 'xpath' {
  /** Throws when the text is no XPath expression. */
  export function parse(text: string): {
    readonly expression: { readonly expression: unknown }
    evaluateNodeSet(options: EvaluateOptions): { toUnsortedArray(): unknown[] }
  }

  export interface EvaluateOptions {
    readonly node: object
    /** Functions beside those of XPath 1.0. */
    readonly functions: (name: string) => XPathFunction | undefined
  }

  export type XPathFunction = (context: { readonly contextNode: unknown }, ...values: readonly XPathValue[]) => boolean

  export interface XPathValue {
    stringValue(): string
  }

  /** `filter[filterPredicates]/locationPath`, each part optional; a literal, a call and parentheses are filters too. */
  export class PathExpr {
    readonly filter: unknown
    readonly filterPredicates: readonly unknown[] | undefined
    readonly locationPath: LocationPath | undefined
  }

  export class LocationPath {
    readonly absolute: boolean
    readonly steps: readonly Step[]
  }

  export class Step {
    static readonly ANCESTOR: number
    static readonly ANCESTORORSELF: number
    static readonly ATTRIBUTE: number
    static readonly CHILD: number
    static readonly DESCENDANT: number
    static readonly DESCENDANTORSELF: number
    static readonly FOLLOWINGSIBLING: number
    static readonly PARENT: number
    static readonly PRECEDINGSIBLING: number
    static readonly SELF: number
    static readonly STEPNAMES: Readonly<Record<number, string>>
    readonly axis: number
    readonly nodeTest: { readonly prefix?: string | null }
    readonly predicates: readonly unknown[]
  }

  export class FunctionCall {
    readonly functionName: string
    readonly arguments: readonly unknown[]
  }

  /** `nodes | nodes`. */
  export class BarOperation {
    readonly lhs: unknown
    readonly rhs: unknown
  }

  export class UnaryMinusOperation {
    readonly rhs: unknown
  }

  export class XString {
    readonly str: string
  }

  export class XNumber {
    readonly num: number
  }
}
