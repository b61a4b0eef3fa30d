import type { Footer } from '../document/content.ts'
import type { Env } from '../env.ts'
import { read } from '../orm/record/read.ts'
import { modelOf } from '../orm/statement/scope.ts'

/** A company as its letters show it. */
export interface Brand {
  readonly name: string
  readonly logo: Uint8Array | null
  /** Street and place in one line. */
  readonly address: string
  readonly columns: Footer['columns']
}

const FIELDS = [
  'name',
  'logo',
  'street',
  'zip',
  'city',
  'country_id',
  'phone',
  'email',
  'website',
  'vat',
  'company_registry',
] as const

const PROGRAM = 'Modulus'

/** The company with this id, else the one the caller works in. */
export async function brandOf(env: Env, companyId: number | null = null): Promise<Brand> {
  const id = companyId ?? env.user.companyIds[0]
  if (id === undefined) return { name: PROGRAM, logo: null, address: '', columns: [] }
  const kernel = env.sudo('every letter of a company shows its name and address', { beyondScope: true })
  const [company = {}] = await read(kernel, modelOf(env, 'core.company'), [id], [...FIELDS])
  const text = (name: (typeof FIELDS)[number]): string => (typeof company[name] === 'string' ? company[name] : '')
  const country = Array.isArray(company['country_id']) ? String(company['country_id'][1] ?? '') : ''
  const place = lineOf([text('zip'), text('city')], ' ')
  return {
    name: text('name'),
    logo: text('logo') === '' ? null : fromBase64(text('logo')),
    address: lineOf([text('street'), place], ', '),
    columns: [
      { heading: text('name'), lines: [text('street'), place, country] },
      { heading: env.t('Contact'), lines: [text('phone'), text('email'), text('website')] },
      {
        heading: env.t('Register'),
        lines: [text('company_registry'), text('vat') === '' ? '' : `${env.t('VAT ID')} ${text('vat')}`],
      },
    ]
      .map(({ heading, lines }) => ({ heading, lines: lines.filter((line) => line !== '') }))
      .filter(({ lines }) => lines.length > 0),
  }
}

export const lineOf = (parts: readonly string[], separator: string): string =>
  parts.filter((part) => part !== '').join(separator)

/** A loop, since calling a function for each character of a large logo would block other requests. */
function fromBase64(text: string): Uint8Array {
  const chars = atob(text)
  const bytes = new Uint8Array(chars.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = chars.charCodeAt(i)
  return bytes
}
