import { useEffect, useState } from 'preact/hooks'
import { timeZoneLabel, timeZones } from '../../../../../kernel/domain/time-zones.ts'

/** Zones that are labelled before the browser gets a turn: labelling all of them would block typing. */
const STEP = 40

/** The time zones to choose from. All but the chosen one get their offset a moment later. */
export function useTimeZones(chosen: string): readonly (readonly [zone: string, label: string])[] {
  const [choices, setChoices] = useState(() => {
    const now = new Date()
    return timeZones().map((zone) => [zone, zone === chosen ? timeZoneLabel(zone, now) : zone] as const)
  })
  useEffect(() => {
    const now = new Date()
    const named: (readonly [string, string])[] = []
    let timer: ReturnType<typeof setTimeout>
    const goOn = () => {
      for (const [zone] of choices.slice(named.length, named.length + STEP))
        named.push([zone, timeZoneLabel(zone, now)])
      if (named.length < choices.length) timer = setTimeout(goOn)
      else setChoices(named)
    }
    timer = setTimeout(goOn)
    return () => clearTimeout(timer)
  }, [])
  return choices
}
