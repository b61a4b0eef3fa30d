import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Writer } from '../../../store/records.ts'

/** Who has saved a record that is being changed here: this user in another place, a person, or somebody of whom nothing is known. */
export function describeSaver(writer: Writer | undefined): string {
  if (!writer) return t('Somebody else saved this meanwhile')
  const [id, name] = writer
  return id === services().session.bootstrap.user.id
    ? t('You saved this in another tab')
    : t('{name} saved this meanwhile', { name })
}
