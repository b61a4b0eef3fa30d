import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * Returns a ref and how many of `most` items fit into its element without being cut off. Measures again when `key`,
 * which identifies the rendered items, changes.
 */
export function useFitting<E extends HTMLElement>(most: number, key: string) {
  const box = useRef<E>(null)
  const [fit, setFit] = useState({ count: most, key, width: 0 })
  const count = fit.key === key ? Math.min(fit.count, most) : most

  useLayoutEffect(() => {
    const element = box.current
    if (element && element.scrollWidth > element.clientWidth + 1 && count > 1)
      setFit({ count: count - 1, key, width: element.clientWidth })
  }, [count, key])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const resized = new ResizeObserver(() => {
      // After the element got wider, start from all items again and reduce until they fit.
      setFit((known) => {
        if (element.scrollWidth > element.clientWidth + 1)
          return { count: Math.max(1, (known.key === key ? known.count : most) - 1), key, width: element.clientWidth }
        return element.clientWidth > known.width + 1 && known.width > 0 ? { count: most, key, width: 0 } : known
      })
    })
    resized.observe(element)
    return () => resized.disconnect()
  }, [key, most])
  return [box, count] as const
}
