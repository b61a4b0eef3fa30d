import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'

/** Shorter waits show no skeleton, since a brief flash of grey is more disturbing than nothing. */
const PATIENCE_MS = 120

/** Renders its children only after a delay. */
export function DelayedSkeleton({ children }: { readonly children: ComponentChildren }): ComponentChildren {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLong ? children : null
}

/** Widths that look like texts of different lengths. */
const widthOf = (row: number): number => 110 + ((row * 37) % 64)

/** Placeholder rows of a list. */
export const SkeletonRows = ({ rows = 12 }: { readonly rows?: number }) => (
  <div class="skrs" role="status" aria-label={t('Loading')}>
    {Array.from({ length: rows }, (_, row) => (
      <div class="skr" key={row}>
        <span class="sk" style={{ width: '16px', height: '16px' }} />
        <span class="sk" style={{ width: '64px' }} />
        <span class="sk" style={{ width: `${widthOf(row)}px` }} />
        <span class="sk" style={{ width: `${widthOf(row + 3) / 2}px` }} />
      </div>
    ))}
  </div>
)

/** Placeholder of a form: a title and two columns of labels and values. */
export const SkeletonForm = () => (
  <div class="sheet" role="status" aria-label={t('Loading')}>
    <span class="sk" style={{ width: '280px', height: '24px' }} />
    <div class="group2">
      {[0, 1].map((column) => (
        <div key={column}>
          {Array.from({ length: 6 }, (_, row) => (
            <div class="kv" key={row}>
              <span class="sk" style={{ width: '80px' }} />
              <span class="sk" style={{ width: `${widthOf(row + column)}px` }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  </div>
)
