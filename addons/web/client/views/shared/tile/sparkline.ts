export interface FigureChange {
  readonly direction: 'up' | 'down' | 'same'
  /** Relative to the previous value: 0.126 for 12.6 %. */
  readonly fraction: number
}

/** Relative change of a value; null if the previous value is 0. */
export function figureChange(current: number, previous: number): FigureChange | null {
  if (previous === 0) return null
  const fraction = (current - previous) / Math.abs(previous)
  // A change that would be displayed as 0.0 % counts as none.
  if (Math.abs(fraction) < 0.0005) return { direction: 'same', fraction: 0 }
  return { direction: fraction > 0 ? 'up' : 'down', fraction: Math.abs(fraction) }
}

export const SPARK = { width: 120, height: 32 } as const
const MARGIN = 3

/** The values as an SVG path with the lowest at the bottom. If all are 0 it is a line along the bottom. */
export function sparkline(values: readonly number[]): string {
  const low = Math.min(0, ...values)
  const span = Math.max(...values) - low || 1
  const step = SPARK.width / Math.max(1, values.length - 1)
  const y = (value: number) => SPARK.height - MARGIN - ((value - low) / span) * (SPARK.height - 2 * MARGIN)
  return values
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
}
