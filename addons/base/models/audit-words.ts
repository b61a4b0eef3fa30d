import { type AuditKind, behavior, type Env } from '#kernel'
import { fieldLabels, keyRights, modelLabel, settingLabel } from './audit-labels.ts'
import { type NamesNow, readNames } from './audit-names.ts'
import { CHANGES, DONE, INVITED, MAIL_PARTS } from './audit-vocabulary.ts'

interface Line {
  readonly kind: AuditKind
  readonly subject: string | null
  readonly detail: string | null
}

/** Translates the text of a line for the reader; undefined: the text stays as it is. */
type Tell = (env: Env, text: string, line: Line, names: NamesNow) => string | undefined

const moduleTitle: Tell = ({ services, t }, name) => {
  const addon = services.catalogue?.get(name)
  return addon && t(addon.title)
}

const RECORD_CHANGE = /^(core\.group|sys\.access|sys\.rule) (added|changed|deleted)(?:: (.*))?$/

const SUBJECTS: Partial<Record<AuditKind, Tell>> = {
  module_installed: moduleTitle,
  module_updated: moduleTitle,
  module_removed: moduleTitle,
  module_on: moduleTitle,
  module_off: moduleTitle,
  exported: modelLabel,
  imported: modelLabel,
  import_undone: modelLabel,
  rights_changed({ t }, text, { detail }, { groups }) {
    const model = RECORD_CHANGE.exec(detail ?? '')?.[1]
    if (model === 'core.group') return groups.get(text)
    return model === 'sys.rule' ? t(text) : undefined
  },
  settings_changed: (env, text, _line, { companies }) =>
    text === OUTGOING_MAIL ? env.t('Outgoing mail') : settingLabel(env, text, companies),
}

/** The subject in the kernel's spelling. */
const OUTGOING_MAIL = 'outgoing mail'

const numbersIn = (text: string): readonly string[] => text.match(/\d+/g) ?? []

const eachOf = (text: string, tell: (part: string) => string | undefined): string =>
  text
    .split(', ')
    .map((part) => tell(part) ?? part)
    .join(', ')

/** `Sales Manager, General User · Company`: what comes first are groups. */
const groupsFirst: Tell = (_env, text, _line, { groups }) => {
  const [first = '', ...rest] = text.split(' · ')
  return [eachOf(first, (name) => groups.get(name)), ...rest].join(' · ')
}

const DETAILS: Partial<Record<AuditKind, Tell>> = {
  imported({ t }, text) {
    const [created = '', updated = '', skipped = ''] = numbersIn(text)
    return t('{created} created, {updated} updated, {skipped} skipped', { created, updated, skipped })
  },
  import_undone({ t }, text) {
    const [removed = '', restored = ''] = numbersIn(text)
    return t('{removed} removed, {restored} restored', { removed, restored })
  },
  key_made: keyRights,
  key_revoked: keyRights,
  password_changed: ({ t }, text) => (text === 'link' ? t('by a link') : undefined),
  user_added: groupsFirst,
  user_invited: ({ t }, text) => INVITED[text] && t(INVITED[text]),
  user_changed: (env, text) => fieldLabels(env, 'core.user', text.split(', ')),
  rights_changed(env, text, line, names) {
    const [, model, done, fields] = RECORD_CHANGE.exec(text) ?? []
    if (model === undefined) return groupsFirst(env, text, line, names)
    const told = env.t(CHANGES[done!]!, { what: modelLabel(env, model) ?? model })
    return fields === undefined ? told : `${told}: ${fieldLabels(env, model, fields.split(', '))}`
  },
  exported(env, text, { subject }) {
    const [format = '', ...rest] = text.split(' · ')
    const fields = fieldLabels(env, subject ?? '', rest.pop()?.split(', ') ?? [])
    return [format.toUpperCase(), ...rest.map((part) => part.replace(/^id /, `${env.t('ID')} `)), fields].join(' · ')
  },
  settings_changed: ({ t }, text, { subject }) =>
    DONE[text] !== undefined || subject !== OUTGOING_MAIL
      ? DONE[text] && t(DONE[text])
      : eachOf(text, (part) => MAIL_PARTS[part] && t(MAIL_PARTS[part])),
}

/**
 * The trail stores technical names of models, fields and modules, and English names of groups; readers see them as labels in their
 * language.
 */
export const sysAuditBehavior = behavior('sys.audit', {
  computes: {
    who: {
      needs: ['actor'],
      run: ({ t }, rows) => new Map(rows.map(({ id, actor }) => [id, actor ?? t('Unknown')])),
    },
    about: {
      needs: ['kind', 'subject', 'detail'],
      run: (env, rows) => tellEach(env, rows, SUBJECTS, 'subject'),
    },
    told: {
      needs: ['kind', 'subject', 'detail'],
      run: (env, rows) => tellEach(env, rows, DETAILS, 'detail'),
    },
  },
})

async function tellEach(
  env: Env,
  rows: readonly (Line & { readonly id: number })[],
  tells: Partial<Record<AuditKind, Tell>>,
  part: 'subject' | 'detail',
): Promise<Map<number, string | null>> {
  const names = await readNames(env)
  return new Map(
    rows.map((row) => {
      const text = row[part]
      return [row.id, text === null ? null : (tells[row.kind]?.(env, text, row, names) ?? text)]
    }),
  )
}
