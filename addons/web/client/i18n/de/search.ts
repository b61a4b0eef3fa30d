import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the search. */
export const search: Catalogue = {}
