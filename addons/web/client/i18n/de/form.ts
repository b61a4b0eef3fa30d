import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the form view. */
export const form: Catalogue = {}
