import { useEffect, useMemo, useState } from 'preact/hooks'
import type { WireField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { searchableFields } from '../../search/query/field-catalogue.ts'

/**
 * The fields a view can measure and group by: at first those its arch and its search name, soon those of the model's list and
 * form too.
 */
export function useModelFields({ model, arch, search }: WireWorkspace): readonly WireField[] {
  const [others, setOthers] = useState<readonly WireField[]>([])
  useEffect(() => {
    let isGone = false
    // Without them the menus are shorter.
    searchableFields(model).then(
      (found) => isGone || setOthers(found),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [model])
  return useMemo(() => {
    const named = new Map([...others, ...search.grouped, ...arch.fields].map((field) => [field.name, field]))
    return [...named.values()]
  }, [others, arch, search])
}
