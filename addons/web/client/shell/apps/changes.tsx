import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WireModulePlan } from '../../../../../kernel/module/wire-modules.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { changeWords } from './plan-words.ts'

/** The changes of a plan, one per line. The list shows how many lines are below its visible part. */
export function Changes({ changes }: Pick<WireModulePlan, 'changes'>) {
  const heading = useId()
  const list = useRef<HTMLUListElement>(null)
  const [below, setBelow] = useState(0)
  const look = () => {
    if (list.current !== null) setBelow(countBelow(list.current))
  }
  useLayoutEffect(() => {
    if (list.current === null) return
    const sizes = new ResizeObserver(look)
    sizes.observe(list.current)
    return () => sizes.disconnect()
  }, [])
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{t('What changes')}</h3>
      {changes.length === 0 ? (
        <p class="t2">{t('Nothing: everything is as the program has it.')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <ul class="changes" ref={list} tabIndex={0} aria-labelledby={heading} onScroll={look}>
            {changes.map((change) => {
              const { icon, tone, text, count } = changeWords(change)
              return (
                <li key={text} class={classNames(tone)}>
                  <Icon name={icon} />
                  <span>{text}</span>
                  <span class="t3 fs12 tn">{count}</span>
                </li>
              )
            })}
          </ul>
          <p class={classNames('hs t2 fs12 below', below === 0 && 'none')}>
            <Icon name="chevron-down" />
            {t('{n} more below', { n: formatInteger(below) })}
          </p>
        </>
      )}
    </section>
  )
}

/** The number of lines that are not completely visible at the end of the list. */
function countBelow(list: HTMLElement): number {
  const end = list.getBoundingClientRect().bottom + 1
  return [...list.children].filter((line) => line.getBoundingClientRect().bottom > end).length
}
