import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const content = signal<ComponentChildren>(null)
const hosts = signal(0)

/** Where the view may put something small into the top bar, beside the breadcrumbs; drawn once, by the shell. */
export function TopbarSlot() {
  useLayoutEffect(() => {
    hosts.value++
    return () => {
      hosts.value--
    }
  }, [])
  return <>{content.value}</>
}

/** Draws its children in the top bar while it is there itself; right here when no top bar has a place for them. */
export function InTopbar({ children }: { readonly children: ComponentChildren }) {
  const isThere = hosts.value > 0
  useLayoutEffect(() => {
    if (isThere) content.value = children
  }, [isThere, children])
  useLayoutEffect(
    () => () => {
      content.value = null
    },
    [],
  )
  return isThere ? null : <>{children}</>
}
