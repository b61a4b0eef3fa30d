import { useEffect, useRef } from 'preact/hooks'
import { deferred } from '../core/deferred.tsx'

export interface SafeHtmlProps {
  readonly html: string
  readonly class?: string
}

const sanitizer = deferred(() => import('./sanitize.ts'))

/**
 * Renders HTML of a field or a message, sanitised again in the browser. The only component that sets HTML; the
 * sanitiser is loaded on demand.
 */
export function SafeHtml({ html, class: extra }: SafeHtmlProps) {
  const box = useRef<HTMLDivElement>(null)
  const loaded = sanitizer.value
  useEffect(() => {
    if (loaded) loaded.setCleanHtml(box.current!, html)
    // Without a network the box stays empty; the next one that is drawn tries again.
    else sanitizer.load().catch(() => undefined)
  }, [html, loaded])
  return <div class={extra ?? ''} ref={box} />
}
