import { parseDomainText } from '../../../../../kernel/domain/literal.ts'
import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { today } from '../../core/format.ts'
import type { FieldProps, FieldRecord } from '../../core/registries.ts'
import { services } from '../../services.ts'
import type { Values } from '../../store/records.ts'
import { linkOf } from '../value/values.ts'

/**
 * The values of names in a domain: fields of the record and its parent, the user, the company and the current date.
 */
export interface DomainScope {
  readonly record: Pick<FieldRecord, 'get' | 'parent'>
  readonly uid: number
  readonly companyId: number
  readonly today: string
}

// Cache of parsed domains; a page has a few dozen at most.
const parsed = new Map<string, WireDomain>()

/** The domain of the arch with field names replaced by values of the record: `[['project_id', '=', project_id]]`. */
export function archDomain(text: string | undefined, scope: DomainScope): WireDomain {
  if (text === undefined || text === '') return []
  return parse(text).map((term) => bind(term, scope))
}

function parse(text: string): WireDomain {
  const known = parsed.get(text)
  if (known) return known
  let domain: WireDomain = []
  try {
    domain = parseDomainText(text)
  } catch {
    // Domains are validated on install. An invalid one that got here otherwise does not restrict the choice.
  }
  parsed.set(text, domain)
  return domain
}

function bind(term: unknown, scope: DomainScope): unknown {
  if (Array.isArray(term)) return term.map((part) => bind(part, scope))
  const name = typeof term === 'object' && term !== null && 'var' in term ? term.var : undefined
  return typeof name === 'string' ? lookUp(name, scope) : term
}

function lookUp(name: string, { record, uid, companyId, today }: DomainScope): unknown {
  if (name === 'uid' || name === 'user.id') return uid
  if (name === 'company_id.id' || name === 'company.id') return companyId
  if (name === 'today') return today
  const [first = '', second] = name.split('.')
  const value = first === 'parent' && second !== undefined ? record.parent?.get(second) : record.get(first)
  return Array.isArray(value) ? (isLink(value) ? value[0] : value) : (value ?? null)
}

const isLink = (value: readonly unknown[]): boolean => linkOf(value) !== null && typeof value[1] !== 'number'

/** The domain of records a field offers: that of the last onchange, otherwise that of the arch. */
export function offeredDomain({ field, node, record }: FieldProps): WireDomain {
  const { user, company } = services().session.bootstrap
  return (
    record.domainOf?.(field.name) ??
    archDomain(node.attrs['domain'], { record, uid: user.id, companyId: company.id, today: today() })
  )
}

/** The `default_*` values of the element's `context`, for records created from it. */
export function contextDefaults({ attrs }: ArchNode): Values {
  try {
    const context: unknown = JSON.parse(attrs['context'] ?? '{}')
    if (typeof context !== 'object' || context === null) return {}
    return Object.fromEntries(
      Object.entries(context).flatMap(([key, value]) =>
        key.startsWith('default_') ? [[key.slice('default_'.length), value]] : [],
      ),
    )
  } catch {
    return {}
  }
}
