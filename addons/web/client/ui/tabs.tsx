import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly name: string
  readonly label: string
  readonly count?: number
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly active: string
  readonly onChange: (name: string) => void
  /** The panel of the active tab. */
  readonly children: ComponentChildren
}

/** Tabs with one panel. Arrow keys move the focus and open the tab at once. */
export function Tabs({ label, tabs, active, onChange, children }: TabsProps) {
  const id = useId()
  const bar = useRef<HTMLDivElement>(null)

  function press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const isRtl = bar.current !== null && getComputedStyle(bar.current).direction === 'rtl'
    const at = tabs.findIndex(({ name }) => name === active)
    const next = (at + (isRtl ? -step : step) + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!tab) return
    event.preventDefault()
    onChange(tab.name)
    bar.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={press}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === active}
            aria-controls={`${id}-page`}
            tabIndex={tab.name === active ? 0 : -1}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-page`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </>
  )
}
