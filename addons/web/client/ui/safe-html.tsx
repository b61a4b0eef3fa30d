import { useEffect, useRef } from 'preact/hooks'

export interface SafeHtmlProps {
  readonly html: string
  readonly class?: string
}

/**
 * Renders HTML of a field or a message, sanitised again in the browser. The only component that sets HTML; the
 * sanitiser is loaded on demand.
 */
export function SafeHtml({ html, class: extra }: SafeHtmlProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isCurrent = true
    void import('./sanitize.ts').then(({ setCleanHtml }) => {
      if (isCurrent && box.current) setCleanHtml(box.current, html)
    })
    return () => {
      isCurrent = false
    }
  }, [html])
  return <div class={extra ?? ''} ref={box} />
}
