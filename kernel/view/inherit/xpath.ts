/**
 * The part of XPath that extensions use, parsed here instead of by a library: steps by tag, `*`, `.` and `..` after `/` or `//`,
 * with predicates on attributes, position and class. Nothing in it nests or counts, so an expression costs at most its steps
 * times the nodes of the view; a full engine takes minutes for some expressions of thirty characters.
 */
export interface XPath {
  readonly text: string
  readonly steps: readonly Step[]
  /** Begins at the document, not at the root element. */
  readonly absolute: boolean
}

export interface Step {
  /** After `//`: at any depth. */
  readonly deep: boolean
  /** A tag, `*`, `.` or `..`. */
  readonly test: string
  readonly predicates: readonly Predicate[]
}

/** Conditions joined by `and`. */
export type Predicate = readonly PredicateTerm[]

export type PredicateTerm =
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string | null }
  | { readonly kind: 'position'; readonly position: number | 'last' }
  | { readonly kind: 'class'; readonly name: string }

export const XPATH_LIMITS = { chars: 1_000, steps: 8, deep: 3, terms: 16 } as const

/** A sentence about an expression that is not understood; names it. */
export class XPathError extends Error {}

const STEP = /(\/\/|\/)?(\.\.|\.|\*|[A-Za-z_][\w-]*)/y
const TERM =
  /\s*(?:@([A-Za-z_][\w:.-]*)(?:\s*=\s*('[^']*'|"[^"]*"))?|(\d{1,4})|(last)\(\)|hasclass\(\s*('[^']*'|"[^"]*")\s*\))\s*/y

export function parseXPath(text: string): XPath {
  const fail = (reason: string): never => {
    throw new XPathError(`"${text.slice(0, 200)}": ${reason}`)
  }
  if (text.length > XPATH_LIMITS.chars) fail(`is longer than ${XPATH_LIMITS.chars} characters.`)
  const source = text.trim()
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) at += match[0].length
    return match
  }

  const readPredicate = (): Predicate => {
    const terms: PredicateTerm[] = []
    for (;;) {
      const term = readTerm(take(copyOf(TERM)))
      if (term === null) return fail(`expected @attribute, a position or hasclass('…') at character ${at + 1}.`)
      if (terms.push(term) > XPATH_LIMITS.terms) fail(`has more than ${XPATH_LIMITS.terms} conditions in one step.`)
      if (source[at] === ']') break
      if (!take(/and(?=[\s@\d(lh])/y)) fail(`expected "and" or "]" at character ${at + 1}.`)
    }
    at++
    return terms
  }

  const steps: Step[] = []
  while (at < source.length) {
    const match = take(copyOf(STEP))
    const [, separator, test] = match ?? []
    if (test === undefined || (steps.length > 0 && separator === undefined)) {
      return fail(`expected a step at character ${at + 1}.`)
    }
    const predicates: Predicate[] = []
    while (source[at] === '[') {
      at++
      predicates.push(readPredicate())
    }
    if (predicates.length > XPATH_LIMITS.terms) fail(`has more than ${XPATH_LIMITS.terms} conditions in one step.`)
    if (predicates.length > 0 && test.startsWith('.')) fail('a condition needs a tag or * before it.')
    if (test.startsWith('.') && separator === '//') fail('"//" needs a tag or * after it.')
    steps.push({ deep: separator === '//', test, predicates })
    if (steps.length > XPATH_LIMITS.steps) fail(`has more than ${XPATH_LIMITS.steps} steps.`)
  }
  if (steps.length === 0) fail('is empty.')
  if (steps.filter((step) => step.deep).length > XPATH_LIMITS.deep) fail(`has more than ${XPATH_LIMITS.deep} "//".`)
  return { text, steps, absolute: source.startsWith('/') }
}

/** A sticky expression of its own for each call: `lastIndex` is state. */
const copyOf = (pattern: RegExp): RegExp => new RegExp(pattern)

function readTerm(match: RegExpExecArray | null): PredicateTerm | null {
  if (match === null) return null
  const [, attribute, value, position, last, className] = match
  if (attribute !== undefined) {
    return { kind: 'attribute', name: attribute, value: value === undefined ? null : value.slice(1, -1) }
  }
  if (className !== undefined) return { kind: 'class', name: className.slice(1, -1) }
  return { kind: 'position', position: last === undefined ? Number(position) : 'last' }
}
