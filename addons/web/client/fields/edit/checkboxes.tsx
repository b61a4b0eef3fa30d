import { useEffect, useState } from 'preact/hooks'
import type { FieldProps } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { searchNames } from '../../store/queries.ts'
import { showError } from '../../ui/toasts.tsx'
import { controlOf } from '../value/control.ts'
import { idsOf } from '../value/values.ts'
import { relationOf } from './relation.ts'
import { offeredDomain } from './relation-domain.ts'

const MAX_OPTIONS = 100

/** A checkbox for every record that can be linked; meant for short lists. */
export function CheckboxesInput(props: FieldProps) {
  const [offered, setOffered] = useState<readonly (readonly [id: number, name: string])[]>([])
  const ids = idsOf(props.value)
  const model = relationOf(props)
  const domain = JSON.stringify(offeredDomain(props))
  useEffect(() => {
    const abort = new AbortController()
    searchNames(services().rpc, model, '', JSON.parse(domain), { limit: MAX_OPTIONS, signal: abort.signal }).then(
      setOffered,
      (error: unknown) => abort.signal.aborted || showError(error),
    )
    return () => abort.abort()
  }, [model, domain])
  const { id, ...control } = controlOf(props)
  return (
    <div role="group" {...control} class="choices">
      {offered.map(([each, name], index) => (
        <label key={each} class="opt">
          <input
            type="checkbox"
            class="check"
            {...(index === 0 && { id })}
            checked={ids.includes(each)}
            onChange={({ currentTarget: { checked } }) =>
              props.onChange(checked ? [...ids, each] : ids.filter((other) => other !== each))
            }
          />
          <span>{name}</span>
        </label>
      ))}
    </div>
  )
}
