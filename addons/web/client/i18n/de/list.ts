import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the list view. */
export const list: Catalogue = {}
