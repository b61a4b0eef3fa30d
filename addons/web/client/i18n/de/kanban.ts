import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the kanban view. */
export const kanban: Catalogue = {}
