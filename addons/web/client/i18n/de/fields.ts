import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the field widgets. */
export const fields: Catalogue = {}
