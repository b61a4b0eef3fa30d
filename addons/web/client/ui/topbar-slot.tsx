import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const content = signal<ComponentChildren>(null)
const hosts = signal(0)

/** Place in the top bar, next to the breadcrumbs, that views can fill; rendered once, by the shell. */
export function TopbarSlot() {
  useLayoutEffect(() => {
    hosts.value++
    return () => {
      hosts.value--
    }
  }, [])
  return <>{content.value}</>
}

/** Renders its children in the top bar while it is mounted, or in place if the page has no top bar slot. */
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
  return isThere ? null : children
}
