import baseAccess from '../../addons/base/security/access.csv'
import baseGroups from '../../addons/base/security/core.group.csv'
import baseRules from '../../addons/base/security/rules.xml'
import libraryAccess from './addons/library/security/access.csv'
import libraryGroups from './addons/library/security/core.group.csv'
import libraryRules from './addons/library/security/rules.xml'
import extraAccess from './addons/library_extra/security/access.csv'

/**
 * The security files of the addons, read and evaluated here without any code of the kernel: an independent oracle with which the tests of
 * RPC compare answers.
 */

export type Operation = 'read' | 'write' | 'create' | 'unlink'

export interface AccessLine extends Readonly<Record<Operation, boolean>> {
  readonly model: string
  readonly group: string
}

interface Rule {
  readonly model: string
  /** None: for everybody. */
  readonly groups: readonly string[]
  readonly operations: ReadonlySet<Operation>
  readonly domain: readonly Term[]
}

/** `[field, operator, value]`, or a prefix operator. */
type Term = '|' | '&' | readonly [string, '=' | 'in', unknown]

/** A caller, as far as access depends on it. */
export interface Person {
  readonly id: number
  /** External ids of the groups the user was put in. */
  readonly groups: readonly string[]
  readonly companyIds: readonly number[]
}

const OPERATIONS: readonly Operation[] = ['read', 'write', 'create', 'unlink']

/** `group_user` in a file of the library is `library.group_user`. */
const qualify = (module: string, xmlid: string) => (xmlid.includes('.') ? xmlid : `${module}.${xmlid}`)

const csvRows = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

const readLines = (text: string): AccessLine[] =>
  csvRows(text).map(([, model = '', group = '', read, write, create, unlink]) => ({
    model,
    group,
    read: read === '1',
    write: write === '1',
    create: create === '1',
    unlink: unlink === '1',
  }))

function readImplications(module: string, text: string) {
  const implied = text.split('\n')[0]!.split(',').indexOf('implied_ids/id')
  return csvRows(text).map((row) => [qualify(module, row[0]!), qualify(module, row[implied]!)] as const)
}

function readRules(module: string, text: string): Rule[] {
  return [...text.matchAll(/<rule ([^>]*)>([\s\S]*?)<\/rule>/g)].map(([, attributes = '', domain = '']) => {
    const given = new Map([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]))
    return {
      model: given.get('model')!,
      groups:
        given
          .get('groups')
          ?.split(',')
          .map((group) => qualify(module, group)) ?? [],
      operations: new Set(OPERATIONS.filter((operation) => given.get(operation) !== '0')),
      domain: JSON.parse(
        domain.replace(/(?<=[,[]\s*)(company_ids|readable_models|user\.id|user\.group_ids)/g, '"$$$1"'),
      ) as Term[],
    }
  })
}

const LINES = [baseAccess, libraryAccess, extraAccess].flatMap(readLines)
const IMPLIED = new Map([...readImplications('base', baseGroups), ...readImplications('library', libraryGroups)])
const RULES = [...readRules('base', baseRules), ...readRules('library', libraryRules)]

/** Models with rules, which may hide records from some users. */
export const RULED_MODELS = [...new Set(RULES.map((rule) => rule.model))]

/** The values of variables in rules. */
const VARIABLES: Readonly<Record<string, (person: Person) => unknown>> = {
  $company_ids: ({ companyIds }) => companyIds,
  '$user.id': ({ id }) => id,
  '$user.group_ids': (person) => [...groupsOf(person)],
  $readable_models: (person) =>
    [...new Set(LINES.map(({ model }) => model))].filter((name) => mayUse(person, name, 'read')),
}

/** The groups of a person with all they imply. */
export function groupsOf(
  { groups }: Pick<Person, 'groups'>,
  implied: ReadonlyMap<string, string> = IMPLIED,
): Set<string> {
  const all = new Set<string>()
  for (let queue = [...groups]; queue.length > 0; ) {
    const group = queue.pop()!
    if (all.has(group)) continue
    all.add(group)
    const next = implied.get(group)
    if (next !== undefined) queue = [...queue, next]
  }
  return all
}

/** Whether some access line lets the person do this with the model. `more`: lines a test has added. */
export function mayUse(person: Person, model: string, operation: Operation, more: readonly AccessLine[] = []): boolean {
  const groups = groupsOf(person)
  return [...LINES, ...more].some((line) => line.model === model && line[operation] && groups.has(line.group))
}

/** Whether the record rules let the person do this with a row of the model's table. */
export function ruleAllows(
  person: Person,
  model: string,
  operation: Operation,
  row: Readonly<Record<string, unknown>>,
) {
  const groups = groupsOf(person)
  const rules = RULES.filter((rule) => rule.model === model && rule.operations.has(operation))
  const globals = rules.filter((rule) => rule.groups.length === 0)
  const ofGroups = rules.filter((rule) => rule.groups.some((group) => groups.has(group)))
  const holds = (rule: Rule) => holdsFor(person, rule.domain, row)
  return globals.every(holds) && (ofGroups.length === 0 || ofGroups.some(holds))
}

function holdsFor(person: Person, domain: readonly Term[], row: Readonly<Record<string, unknown>>): boolean {
  const operands: boolean[] = []
  for (const term of domain.toReversed()) {
    if (typeof term === 'string') {
      const [left = true, right = true] = [operands.pop(), operands.pop()]
      operands.push(term === '|' ? left || right : left && right)
    } else operands.push(matches(person, term, row))
  }
  return operands.every(Boolean)
}

function matches(
  person: Person,
  [field, operator, value]: Exclude<Term, string>,
  row: Readonly<Record<string, unknown>>,
) {
  const bound = typeof value === 'string' && value in VARIABLES ? VARIABLES[value]!(person) : value
  const own = row[field]
  if (Array.isArray(own))
    return operator === 'in' ? own.some((each) => (bound as unknown[]).includes(each)) : own.length === 0
  return operator === 'in' ? Array.isArray(bound) && bound.includes(own) : own === bound
}
