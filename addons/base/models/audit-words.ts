import { type AuditKind, behavior, type Env } from '#kernel'

/** What stands in a line, as the reader is told it; undefined: as it stands. */
type Tell = (env: Env, text: string) => string | undefined

const modelLabel: Tell = ({ registry, t }, name) => {
  const model = registry.model(name)
  return model && t(model.label)
}

const moduleTitle: Tell = ({ services, t }, name) => {
  const addon = services.catalogue?.get(name)
  return addon && t(addon.title)
}

const SUBJECTS: Partial<Record<AuditKind, Tell>> = {
  module_installed: moduleTitle,
  module_updated: moduleTitle,
  module_removed: moduleTitle,
  module_on: moduleTitle,
  module_off: moduleTitle,
  exported: modelLabel,
  imported: modelLabel,
  import_undone: modelLabel,
}

const numbersIn = (text: string): readonly string[] => text.match(/\d+/g) ?? []

const keyRights: Tell = ({ t }, text) =>
  text.endsWith(' · *') ? `${text.slice(0, -1)}${t('all that the user may')}` : undefined

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
}

const tellBy = (env: Env, tells: Partial<Record<AuditKind, Tell>>, kind: AuditKind, text: string | null) =>
  text === null ? null : (tells[kind]?.(env, text) ?? text)

/** The trail keeps names of models and modules, which stay; a reader is told them in words of the own language. */
export const sysAuditBehavior = behavior('sys.audit', {
  computes: {
    about: {
      needs: ['kind', 'subject'],
      run: (env, rows) => new Map(rows.map(({ id, kind, subject }) => [id, tellBy(env, SUBJECTS, kind, subject)])),
    },
    told: {
      needs: ['kind', 'detail'],
      run: (env, rows) => new Map(rows.map(({ id, kind, detail }) => [id, tellBy(env, DETAILS, kind, detail)])),
    },
  },
})
