import { useEffect, useState } from 'preact/hooks'

/** Colours of the theme as a canvas takes them. */
export interface ChartColours {
  readonly series: readonly string[]
  readonly text: string
  readonly line: string
  readonly baseline: string
  readonly surface: string
}

/** The hues of series in the order they are used; neighbours are easy to tell apart. */
export const SERIES_HUES = [1, 3, 5, 2, 6, 4, 7, 0] as const

export const hueOfSeries = (index: number): number => SERIES_HUES[index % SERIES_HUES.length]!

/** The tokens are oklch and depend on the theme; the chart mixes colours and reads rgb only. */
function readColours(): ChartColours {
  const probe = document.body.appendChild(document.createElement('span'))
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
  const series = SERIES_HUES.map((hue) => {
    probe.dataset['hue'] = String(hue)
    return resolve('--accent-mark')
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
  const [colours, setColours] = useState(readColours)
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
