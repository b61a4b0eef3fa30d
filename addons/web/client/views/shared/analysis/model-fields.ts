import { useEffect, useMemo, useState } from 'preact/hooks'
import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { searchableFields } from '../../../search/query/field-catalogue.ts'

/**
 * The fields a view can measure and group by: at first those its arch and its search name, soon those of the model's list and
 * form too. `isWanted` is false while the view itself is being loaded, which must not wait for them.
 */
export function useModelFields({ model, arch, search }: WireWorkspace, isWanted = true): readonly WireField[] {
  const [others, setOthers] = useState<readonly WireField[]>([])
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    // Without them the menus are shorter.
    searchableFields(model).then(
      (found) => isGone || setOthers(found),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [model, isWanted])
  return useMemo(() => {
    const named = new Map([...others, ...search.grouped, ...arch.fields].map((field) => [field.name, field]))
    return [...named.values()]
  }, [others, arch, search])
}
