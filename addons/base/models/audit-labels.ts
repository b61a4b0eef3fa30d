import { type Env, labelIn } from '#kernel'
import { METHOD_WORDS } from './audit-vocabulary.ts'

export const modelLabel = ({ registry, t }: Env, name: string): string | undefined => {
  const model = registry.model(name)
  return model && t(model.label)
}

/** Paths such as `partner_id/name` or `partner_id.name` in the labels of their fields; a path without labels stays as it is. */
export const fieldLabels = (env: Env, model: string, paths: readonly string[]): string =>
  [...new Set(paths.map((path) => pathLabel(env, model, path)))].join(', ')

function pathLabel({ registry, t }: Env, model: string, path: string): string {
  const labels: string[] = []
  let at = registry.model(model)
  for (const name of path.split(/[/.]/).filter(Boolean)) {
    const field = at?.fields.get(name)
    if (field === undefined) return path
    labels.push(labelIn(t, field))
    at = field.relation === null ? undefined : registry.model(field.relation.target)
  }
  return labels.join(' / ')
}

/** The label of an app's setting, with the company of the value. */
export function settingLabel({ registry, t }: Env, key: string, companies: ReadonlyMap<number, string>) {
  const [, name = '', company] = /^(.*?)(?:\.(\d+))?$/.exec(key) ?? []
  const setting = registry.settings.flatMap(({ settings }) => settings).find((one) => one.name === name)
  if (setting === undefined) return undefined
  return [t(setting.label), company && (companies.get(Number(company)) ?? company)].filter(Boolean).join(' · ')
}

interface KeyScope {
  readonly models?: Readonly<Record<string, readonly string[]>>
  readonly read_only?: boolean
}

const methodWord = (t: Env['t'], method: string): string => {
  const word = METHOD_WORDS.find(([start]) => start.test(method))?.[1]
  return word === undefined ? method : t(word)
}

/** `Ann · *` or `Ann · {"models": …}`: whose key it is and what it may do. */
export function keyRights(env: Env, text: string): string | undefined {
  const [, owner = '', rights = ''] = /^(.*? · )?(\*|\{.*\})$/s.exec(text) ?? []
  if (rights === '') return undefined
  if (rights === '*') return `${owner}${env.t('all that the user may')}`
  const scope = parseScope(rights)
  if (scope === undefined) return undefined
  const models = Object.entries(scope.models ?? {}).map(([name, methods]) => {
    const words = new Set(methods.map((method) => methodWord(env.t, method)))
    const label = name === '*' ? env.t('all other models') : (modelLabel(env, name) ?? name)
    return methods.includes('*') ? label : `${label} (${[...words].join(', ')})`
  })
  return owner + [...models, ...(scope.read_only ? [env.t('only reading')] : [])].join(' · ')
}

function parseScope(text: string): KeyScope | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // A long scope was cut when it was stored, so it is no valid JSON.
    return undefined
  }
}
