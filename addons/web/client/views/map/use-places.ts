import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { createMapModel, type Places } from './model/places.ts'

/** The map that an address asks for. Another search shows all its records, unless the address says where to look. */
export function usePlaces({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>) {
  const search = useSearch(workspace, route)
  const places = useMemo(() => {
    const made = createMapModel(workspace)
    made.take(workspace, search, route)
    return made
  }, [])
  useLayoutEffect(() => places.take(workspace, search, route), [workspace, search, route])
  useEffect(() => places.stop, [])
  useFit(places, JSON.stringify(search.domain), route.state['at'] !== undefined)
  return { places, search }
}

function useFit(places: Places, search: string, isKept: boolean): void {
  const fitted = useRef<string | null>(isKept ? search : null)
  const isLoading = places.set.isLoading.value
  useEffect(() => {
    if (isLoading || fitted.current === search || places.pins.peek().length === 0) return
    fitted.current = search
    places.fit()
  }, [search, isLoading])
}
