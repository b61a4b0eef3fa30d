import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'

/** What loads in less is not announced: a flash of grey is slower to the eye than nothing. */
const PATIENCE_MS = 120

/** Draws its content only when the wait has become noticeable. */
export function Patient({ children }: { readonly children: ComponentChildren }): ComponentChildren {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLong ? children : null
}

const WIDTHS = [150, 120, 170, 140, 110, 160, 130, 155] as const

/** Rows in the shape of a list. */
export const SkeletonRows = ({ rows = 12 }: { readonly rows?: number }) => (
  <div role="status" aria-label={t('Loading')}>
    {Array.from({ length: rows }, (_, row) => (
      <div class="skr" key={row}>
        <span class="sk" style={{ width: '16px', height: '16px' }} />
        <span class="sk" style={{ width: '64px' }} />
        <span class="sk" style={{ width: `${WIDTHS[row % WIDTHS.length]}px` }} />
        <span class="sk" style={{ width: `${WIDTHS[(row + 3) % WIDTHS.length]! / 2}px` }} />
      </div>
    ))}
  </div>
)
