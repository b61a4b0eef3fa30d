import { useEffect, useState } from 'preact/hooks'
import { formatDatetime, formatRelative } from '../../core/format.ts'

const SECOND = 1_000
/** Beyond this, the text changes only with minutes and hours. */
const NEAR = 60 * SECOND

interface AgoProps {
  readonly at: string
  /** Shown instead, once the moment has passed. */
  readonly past?: string
  /** Shown instead for the first minute. */
  readonly recent?: string
}

/** A moment as “3 hours ago” or “in 12 seconds”, which follows the clock; the exact time is its title. */
export function Ago({ at, past, recent }: AgoProps) {
  const [, setTick] = useState(0)
  const now = new Date()
  const away = Date.parse(at) - now.getTime()
  const pause = Math.abs(away) <= NEAR ? SECOND : NEAR / 2
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), pause)
    return () => clearInterval(timer)
  }, [pause])
  return (
    <time dateTime={at} title={formatDatetime(at)}>
      {(away <= 0 && past) || (away > -NEAR && recent) || formatRelative(at, now)}
    </time>
  )
}
