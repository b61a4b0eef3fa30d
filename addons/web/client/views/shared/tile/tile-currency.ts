import { useState } from 'preact/hooks'
import { changeRoute, type Route } from '../../../router/codec.ts'

/** The address of a tile with the currency that was chosen in it. It is kept while the tile is shown. */
export function useTileCurrency(route: Route): readonly [route: Route, choose: (code: string) => void] {
  const [currency, choose] = useState<string | undefined>(undefined)
  return [currency === undefined ? route : changeRoute(route, {}, { currency }), choose]
}
