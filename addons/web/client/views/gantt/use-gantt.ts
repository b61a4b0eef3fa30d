import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deferred } from '../../core/deferred.tsx'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { createGantt } from './model/gantt.ts'

export const moves = deferred(() => import('./move/deferred-chunk.ts'))

/** The plan of an address with the keys of its chart, for the view and for the tile. */
export function useGantt({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>) {
  const search = useSearch(workspace, route)
  const box = useRef<HTMLDivElement>(null)
  const gantt = useMemo(() => createGantt(workspace), [])
  // Bars appear only with the code that moves them, since an earlier key or drag would be lost.
  const [isReady, setReady] = useState(moves.peek() !== null)
  useLayoutEffect(() => gantt.take(workspace, search, route), [workspace, search, route])
  useEffect(() => {
    const show = () => setReady(true)
    // If the code cannot be loaded, bars are shown but cannot be moved.
    moves.load().then(show, show)
    return gantt.stop
  }, [])
  const onKey = (event: KeyboardEvent) => {
    if (box.current) moves.peek()?.pressOnRows(gantt, box.current, event)
  }
  return { gantt, box, search, isReady, onKey }
}
