import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { createMapModel, type Places, readCamera } from './model/places.ts'

const stay = () => undefined

/** The map of an address. `onFitted` is called when it shows another place than the address names. */
export function usePlaces(
  { workspace, route }: Pick<ViewProps, 'workspace' | 'route'>,
  onFitted: (places: Places) => void = stay,
) {
  const search = useSearch(workspace, route)
  const places = useMemo(() => {
    const made = createMapModel(workspace)
    made.take(workspace, search, route)
    return made
  }, [])
  useLayoutEffect(() => places.take(workspace, search, route), [workspace, search, route])
  useEffect(() => places.stop, [])
  useFit(places, JSON.stringify(search.domain), route.state['at'], () => onFitted(places))
  return { places, search }
}

/**
 * A new search zooms to all its records, unless its address names a place, as after a reload or when going back. The place of the
 * previous search is not kept.
 */
function useFit(places: Places, search: string, at: string | undefined, onFitted: () => void): void {
  const fitted = useRef(at === undefined ? null : search)
  const before = useRef(at)
  const asked = useMemo(() => (at === before.current ? undefined : at), [search])
  const isLoading = places.set.isLoading.value
  useEffect(() => {
    before.current = at
  })
  useEffect(() => {
    // Not as drawn: the search that was just taken may be loading by now.
    if (places.set.isLoading.peek() || fitted.current === search || places.pins.peek().length === 0) return
    fitted.current = search
    const camera = readCamera(asked)
    if (camera) {
      places.camera.value = camera
      return
    }
    places.fit()
    if (at !== undefined) onFitted()
  }, [search, isLoading])
}
