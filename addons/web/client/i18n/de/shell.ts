import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the shell: menus, palette, home. */
export const shell: Catalogue = {}
