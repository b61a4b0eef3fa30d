import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Writer } from '../../../store/records.ts'

/** The user who has saved a record that is being changed here: this user elsewhere, another user, or an unknown one. */
export function describeSaver(writer: Writer | undefined): string {
  if (!writer) return t('Somebody else saved this meanwhile')
  const [id, name] = writer
  return id === services().session.bootstrap.user.id
    ? t('You saved this in another tab')
    : t('{name} saved this meanwhile', { name })
}
