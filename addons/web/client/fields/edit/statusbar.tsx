import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldProps } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { searchNames } from '../../store/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { labelOf } from '../value/control.ts'
import { shapeOf } from '../value/state.tsx'
import { linkOf, textOf } from '../value/values.ts'
import { offeredDomain } from './relation-domain.ts'

interface Step {
  readonly key: string | number
  readonly label: string
}

const MAX_STEPS = 7
const MAX_STAGES = 40

/**
 * The stages of a record with the current one marked; the others can be clicked unless the field is read-only. More
 * than `MAX_STEPS` stages are shown as a menu.
 */
export function StatusbarField(props: FieldProps) {
  const steps = useSteps(props)
  const { field, readonly, onChange } = props
  const current = field.type === 'many2one' ? (linkOf(props.value)?.id ?? null) : textOf(props.value)
  const at = steps.findIndex(({ key }) => key === current)
  // A record in a side state, such as cancelled, has not passed the stages before it.
  const passed = isAside(props) ? 0 : at
  const choose = ({ key, label }: Step) => onChange(typeof key === 'number' ? [key, label] : key)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // On a phone the bar scrolls, so the current stage is scrolled to its middle.
    const [bar, step] = [list.current, list.current?.querySelector<HTMLElement>('[aria-current]')]
    if (bar && step) bar.scrollLeft = step.offsetLeft - bar.offsetLeft - (bar.clientWidth - step.offsetWidth) / 2
  }, [at, steps.length])

  if (steps.length > MAX_STEPS) {
    return (
      <MenuButton
        label={steps[at]?.label ?? labelOf(props)}
        icon="chevron-down"
        disabled={readonly}
        align="end"
        items={() =>
          steps.map((step) => ({ label: step.label, isChosen: step.key === current, run: () => choose(step) }))
        }
      />
    )
  }
  return (
    // Without buttons in it the list itself takes the focus, so that the keys can scroll it on a narrow screen.
    <ol class="status" aria-label={labelOf(props)} ref={list} {...(readonly && { tabIndex: 0 })}>
      {steps.map((step, index) => {
        const icon = <Icon name={iconOf(props, step, index === at ? 'here' : index < passed ? 'passed' : 'ahead')} />
        const current = { 'aria-current': index === at ? ('step' as const) : undefined }
        return (
          <li key={step.key} class={index < passed ? 'done' : ''}>
            {readonly ? (
              <span class="st" {...current}>
                {icon}
                {step.label}
              </span>
            ) : (
              // The current stage is a button, too: the one that was just pressed keeps the focus.
              <button type="button" {...current} onClick={() => index === at || choose(step)}>
                {icon}
                {step.label}
              </button>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/**
 * Icon of a stage: a tick once it is passed, else the one `statusbar_icons` names. The current one has that of its state, or is half
 * done; those ahead are empty.
 */
function iconOf({ field, node }: FieldProps, { key }: Step, place: 'passed' | 'here' | 'ahead'): string {
  if (place === 'passed') return 'st-done'
  const named = node.attrs['statusbar_icons']?.split(',').find((pair) => pair.startsWith(`${key}:`))
  if (named !== undefined) return named.slice(`${key}:`.length)
  if (place === 'ahead') return 'st-draft'
  const own = field.type === 'selection' ? shapeOf(textOf(key))?.icon : undefined
  return own === undefined || own === 'st-draft' ? 'st-sent' : own
}

/**
 * Stages of the bar: for a selection the keys of `statusbar_visible` and the current one, for a relation all records of
 * its domain.
 */
function useSteps(props: FieldProps): readonly Step[] {
  const { field, node, value } = props
  const [stages, setStages] = useState<readonly Step[]>([])
  const isLink = field.type === 'many2one'
  const domain = isLink ? JSON.stringify(offeredDomain(props)) : ''
  useEffect(() => {
    if (!isLink || field.relation === undefined) return
    const abort = new AbortController()
    searchNames(services().rpc, field.relation, '', JSON.parse(domain), {
      limit: MAX_STAGES,
      signal: abort.signal,
    }).then(
      (found) => setStages(found.map(([key, label]) => ({ key, label }))),
      // If the stages cannot be loaded, the bar shows only the current one.
      () => undefined,
    )
    return () => abort.abort()
  }, [isLink, field.relation, domain])
  if (isLink) {
    const link = linkOf(value)
    const isMissing = link !== null && !stages.some(({ key }) => key === link.id)
    return isMissing ? [...stages, { key: link.id, label: link.name }] : stages
  }
  const visible = visibleKeys(node)
  return (field.selection ?? []).flatMap(([key, label]) =>
    visible === undefined || visible.includes(key) || key === value ? [{ key, label }] : [],
  )
}

const visibleKeys = ({ attrs }: FieldProps['node']): readonly string[] | undefined =>
  attrs['statusbar_visible']?.split(',').map((key) => key.trim())

const isAside = ({ field, node, value }: FieldProps): boolean =>
  field.type === 'selection' && visibleKeys(node)?.includes(textOf(value)) === false
