import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FieldProps } from '../core/registries.ts'

type Load = () => Promise<ComponentType<FieldProps>>

/** A widget whose chunk comes when it is first drawn; later ones of the kind are there at once, as is one that `ready` knows. */
export function lazyField(
  load: Load,
  ready: () => ComponentType<FieldProps> | undefined = () => undefined,
): ComponentType<FieldProps> {
  let loaded: ComponentType<FieldProps> | undefined
  return function LazyField(props: FieldProps) {
    const [Widget, setWidget] = useState<ComponentType<FieldProps> | undefined>(() => loaded ?? ready())
    useEffect(() => {
      let isCurrent = true
      if (!Widget) {
        void load().then((widget) => {
          loaded = widget
          if (isCurrent) setWidget(() => widget)
        })
      }
      return () => {
        isCurrent = false
      }
    }, [])
    return Widget ? <Widget {...props} /> : <span class="ro" aria-busy="true" />
  }
}
