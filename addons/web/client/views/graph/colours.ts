import { useEffect, useState } from 'preact/hooks'

/** Colours of the theme as a canvas takes them. */
export interface ChartColours {
  /** By hue. */
  readonly series: readonly string[]
  readonly text: string
  readonly line: string
  readonly baseline: string
  readonly surface: string
}

/** The hues of series in the order they are used; neighbours are easy to tell apart. */
const HUES = [1, 5, 4, 6, 3, 2, 7] as const

/** Grey is for records without a value. */
export const hueOfSeries = (key: string, index: number): number => (key === 'null' ? 0 : HUES[index % HUES.length]!)

/** Hues that are used a second time are paler. */
export const strengthOfSeries = (key: string, index: number): number =>
  key === 'null' || index % (2 * HUES.length) < HUES.length ? 1 : 0.5

/** Attributes of an element whose mark has the colour of a series. */
export const markOfSeries = (key: string, index: number) => ({
  'data-hue': hueOfSeries(key, index),
  style: { '--strength': strengthOfSeries(key, index) },
})

/** The colours of the theme, or of a scheme. The tokens are oklch and depend on it; the chart mixes colours and reads rgb only. */
export function readColours(scheme = ''): ChartColours {
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.colorScheme = scheme
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const resolve = (token: string): string => {
    probe.style.color = `var(${token})`
    if (!context) return 'gray'
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
  const series = Array.from({ length: 8 }, (_, hue) => {
    probe.dataset['hue'] = String(hue)
    return resolve('--series')
  })
  const found = {
    series,
    text: resolve('--text-3'),
    line: resolve('--line'),
    baseline: resolve('--line-control'),
    surface: resolve('--surface'),
  }
  probe.remove()
  return found
}

/** The colours now, and again when the theme changes. */
export function useColours(): ChartColours {
  const [colours, setColours] = useState(() => readColours())
  useEffect(() => {
    const read = () => setColours(readColours())
    const system = matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    system.addEventListener('change', read)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', read)
    }
  }, [])
  return colours
}
