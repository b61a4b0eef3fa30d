import type { WireDomain } from '../../../../../kernel/view/wire.ts'

/** Records that have a text in their name, or in another field that is searched by what is typed. */
export const typedDomain = (text: string, searched: readonly string[]): WireDomain =>
  text === ''
    ? []
    : [
        ...searched.map(() => '|' as const),
        ...['display_name', ...searched].map((name) => [name, 'ilike', text] as const),
      ]
