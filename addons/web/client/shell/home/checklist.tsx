import { useEffect, useState } from 'preact/hooks'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { offerUndo } from '../../ui/undo.ts'
import { loadSteps, modelsOfSteps, type Step } from './steps.ts'
import { useLoaded } from './use-loaded.ts'
import './checklist.css'

/** The user has hidden the steps. */
const PREFERENCE = 'home/steps'

/** Storage key that remembers in this browser that all steps are done, so that nothing is requested any more. */
const doneKey = (): string => `modulus.steps.${services().session.bootstrap.user.id}`

/** The steps of a new installation, until all are done or the user hides them. */
export function Checklist() {
  const { session, preferences } = services()
  const [isGone, setGone] = useState(preferences.get(PREFERENCE) === 'hidden' || recall() !== null)
  if (isGone || session.bootstrap.home.steps.length === 0) return null
  const hide = ({ currentTarget }: MouseEvent) => {
    // The button disappears with the steps, so the focus goes to the page.
    ;(currentTarget as HTMLElement).closest('main')?.focus()
    setGone(true)
    offerUndo({
      text: t('The steps are hidden'),
      run: () => preferences.set(PREFERENCE, 'hidden'),
      undo: () => setGone(false),
    })
  }
  const finish = () => {
    keep()
    setGone(true)
  }
  return <Steps onHide={hide} onDone={finish} />
}

/** Reads the storage, which may be disabled; the steps are then requested again. */
function recall(): string | null {
  try {
    return localStorage.getItem(doneKey())
  } catch {
    return null
  }
}

function keep(): void {
  try {
    localStorage.setItem(doneKey(), 'done')
  } catch {
    // Storage may be disabled.
  }
}

interface StepsProps {
  readonly onHide: (event: MouseEvent) => void
  readonly onDone: () => void
}

function Steps({ onHide, onDone }: StepsProps) {
  const { session, rpc } = services()
  const { steps } = session.bootstrap.home
  const loaded = useLoaded(modelsOfSteps(steps), () => loadSteps(rpc, steps))
  // Until the ticks are known the steps are shown without them, so that nothing below moves.
  const isKnown = loaded.kind === 'there'
  const list: readonly Step[] = isKnown ? loaded.value : steps.map((step) => ({ ...step, isDone: false }))
  const done = list.filter(({ isDone }) => isDone).length
  const next = list.find(({ isDone }) => !isDone)
  const isWhole = next === undefined
  // When all steps are done, nothing needs to be requested any more.
  useEffect(() => {
    if (isWhole) onDone()
  }, [isWhole])
  if (next === undefined) return null
  const [figure, total] = [formatInteger(done), formatInteger(list.length)]
  return (
    <section class="panel checklist" aria-labelledby="home-steps" aria-busy={!isKnown}>
      <header>
        <h2 id="home-steps">{t('Ready for work')}</h2>
        <span class="t2">{t('{done} of {total}', { done: figure, total })}</span>
        <Button label={t('Hide')} kind="ghost" size="sm" class="end" onClick={onHide} />
      </header>
      <progress
        max={list.length}
        value={done}
        aria-label={t('{done} of {total} steps are done', { done: figure, total })}
      />
      <ol>
        {list.map((step, index) => (
          <Line key={step.key} step={step} number={index + 1} isNext={isKnown && step === next} />
        ))}
      </ol>
    </section>
  )
}

const Line = ({ step, number, isNext }: { readonly step: Step; readonly number: number; readonly isNext: boolean }) => (
  <li class={step.isDone ? 'done' : isNext ? 'next' : ''}>
    <span class="no" aria-hidden="true">
      {step.isDone ? <Icon name="check" /> : formatInteger(number)}
    </span>
    <span class="lb">
      <b>{step.label}</b>
      {step.isDone && <span class="vh">{t('Done')}</span>}
      <span class="t2 fs12">{step.text}</span>
    </span>
    {step.isDone || <Button label={step.button} size="sm" {...(isNext && { kind: 'primary' })} href={step.href} />}
  </li>
)
