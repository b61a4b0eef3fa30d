/** German. */
import type { Catalogue } from '../core/i18n.ts'
export const catalogue: Catalogue = {}
