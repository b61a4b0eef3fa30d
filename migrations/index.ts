import kernel from './0001_kernel.sql'
import views from './0002_views.sql'
import rate from './0003_rate.sql'
import mail from './0004_mail.sql'
import doors from './0005_doors.sql'
import loginKey from './0006_login_key.sql'
import live from './0007_live.sql'
import fence from './0008_fence.sql'
import imports from './0009_import.sql'
import people from './0010_people.sql'
import mailAttachment from './0011_mail_attachment.sql'
import invitationLink from './0012_invitation_link.sql'
import auditTrail from './0013_audit.sql'
import presence from './0014_presence.sql'
import importRun from './0015_import_run.sql'
import slots from './0016_slots.sql'

/** Kernel migrations in order. They only ever grow: a released file never changes (its checksum is kept). */
export const kernelMigrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001_kernel', sql: kernel },
  { name: '0002_views', sql: views },
  { name: '0003_rate', sql: rate },
  { name: '0004_mail', sql: mail },
  { name: '0005_doors', sql: doors },
  { name: '0006_login_key', sql: loginKey },
  { name: '0007_live', sql: live },
  { name: '0008_fence', sql: fence },
  { name: '0009_import', sql: imports },
  { name: '0010_people', sql: people },
  { name: '0011_mail_attachment', sql: mailAttachment },
  { name: '0012_invitation_link', sql: invitationLink },
  { name: '0013_audit', sql: auditTrail },
  { name: '0014_presence', sql: presence },
  { name: '0015_import_run', sql: importRun },
  { name: '0016_slots', sql: slots },
]
