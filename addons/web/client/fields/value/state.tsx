import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'

type Hue = '' | 'info' | 'success' | 'warning' | 'danger'

export interface Shape {
  readonly icon: IconName
  readonly hue: Hue
}

/** Selection keys that mean the same in every application, with their icon; the colour repeats what the icon says. */
const SHAPES: Readonly<Record<string, Shape>> = Object.fromEntries(
  (
    [
      ['draft new planned pending idle todo queued', { icon: 'st-draft', hue: '' }],
      ['sent open running progress in_progress started info', { icon: 'st-sent', hue: 'info' }],
      ['sale won confirmed active success ok', { icon: 'st-sale', hue: 'success' }],
      ['done reached closed installed', { icon: 'st-done', hue: 'success' }],
      ['cancel cancelled lost failed failing error fatal', { icon: 'st-cancel', hue: 'danger' }],
      ['overdue late', { icon: 'circle-alert', hue: 'danger' }],
      ['today soon warning warn paused', { icon: 'clock', hue: 'warning' }],
      ['locked', { icon: 'lock', hue: '' }],
    ] as const
  ).flatMap(([keys, shape]) => keys.split(' ').map((key) => [key, shape])),
)

/** Null for a key that is not in the table. */
export const shapeOf = (key: string): Shape | null => SHAPES[key] ?? null

export function State({ value, label }: { readonly value: string; readonly label: string }) {
  const shape = shapeOf(value)
  return shape === null ? (
    <span class="badge">{label}</span>
  ) : (
    <span class={`state ${shape.hue}`}>
      <Icon name={shape.icon} />
      {label}
    </span>
  )
}
