import { useEffect, useRef } from 'preact/hooks'

export interface SafeHtmlProps {
  readonly html: string
  readonly class?: string
}

/** HTML of a field or a message. Cleaned again in the browser, and the only place that sets HTML; its cleaner is a chunk of its own. */
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
