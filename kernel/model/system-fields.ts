import type { FieldDefs } from './define.ts'
import { datetime } from './fields/date.ts'
import { many2one } from './fields/many2one.ts'
import { integer } from './fields/number.ts'
import { char } from './fields/text.ts'

/** Fields of every model, written by the ORM only. */
export const SYSTEM_FIELDS: FieldDefs = {
  id: integer({ label: 'ID', required: true }),
  display_name: char({ label: 'Display Name', compute: 'read' }),
  create_uid: many2one('core.user', { label: 'Created by', checkCompany: false }),
  create_date: datetime({ label: 'Created on', required: true }),
  write_uid: many2one('core.user', { label: 'Last updated by', checkCompany: false }),
  write_date: datetime({ label: 'Last updated on', required: true }),
  version: integer({ label: 'Version', required: true }),
}
