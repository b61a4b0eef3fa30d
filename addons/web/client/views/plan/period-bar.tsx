import './period-bar.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'

export interface PeriodBarProps {
  readonly title: ComponentChildren
  readonly onToday: () => void
  readonly onStep: (step: 1 | -1) => void
  readonly scales: readonly (readonly [scale: string, label: string])[]
  readonly scale: string
  readonly onScale: (scale: string) => void
  /** Before the switch of scales. */
  readonly children?: ComponentChildren
}

/** Which period a view shows, how to get to others, and at what scale. */
export function PeriodBar({ title, onToday, onStep, scales, scale, onScale, children }: PeriodBarProps) {
  const steps: readonly (readonly [keys: string, label: string, run: () => void])[] = [
    ['t', t('Today'), onToday],
    ['j', t('Next period'), () => onStep(1)],
    ['k', t('Previous period'), () => onStep(-1)],
  ]
  useEffect(() => {
    const stops = steps.map(([keys, label, run]) => hotkeys.add({ keys, label, group: t('Period'), run }))
    return () => {
      for (const stop of stops) stop()
    }
  })
  return (
    <div class="planbar">
      <Button label={t('Today')} onClick={onToday} />
      <span class="hs arrows">
        <Button
          label={t('Previous period')}
          icon="chevron-left"
          iconOnly
          kind="ghost"
          keys="k"
          onClick={() => onStep(-1)}
        />
        <Button
          label={t('Next period')}
          icon="chevron-right"
          iconOnly
          kind="ghost"
          keys="j"
          onClick={() => onStep(1)}
        />
      </span>
      <h2 aria-live="polite">{title}</h2>
      <div class="end">
        {children}
        <span class="seg" role="group" aria-label={t('Scale')}>
          {scales.map(([name, label]) => (
            <button key={name} type="button" aria-pressed={name === scale} onClick={() => onScale(name)}>
              {label}
            </button>
          ))}
        </span>
      </div>
    </div>
  )
}
