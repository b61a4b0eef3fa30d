import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { WireDomain, WireField } from '../../../../../kernel/view/wire.ts'
import { debounce, TYPEAHEAD_MS } from '../../core/debounce.ts'
import { t, tn } from '../../core/i18n.ts'
import type { Row } from '../../net/rpc.ts'
import { services } from '../../services.ts'
import { countRecords, searchRead } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Marked } from '../../ui/marked.tsx'
import { nextIndex } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { aboutTexts, namesToRead } from '../value/about-text.ts'
import type { Link } from '../value/values.ts'
import { typedDomain } from './typed-domain.ts'
import './all-records.css'

export interface AllRecords {
  readonly title: string
  readonly model: string
  readonly about: readonly WireField[]
  /** Fields that are searched beside the name. */
  readonly searched: readonly string[]
  readonly domain: WireDomain
  /** What was typed before the dialog was opened. */
  readonly text: string
  readonly mayCreate: boolean
}

type Answer = Link | 'new' | null

/** All records a field offers, in a dialog that searches them. 'new': the user wants another one. */
export const chooseFromAll = (all: AllRecords): Promise<Answer> =>
  openDialog<Answer>((close) => <AllRecordsDialog all={all} close={close} />)

const PAGE = 80

interface Found {
  readonly rows: readonly Row[]
  readonly total: number
}

function AllRecordsDialog({ all, close }: { readonly all: AllRecords; close(answer: Answer): void }) {
  const { title, model, about } = all
  const [text, setText] = useState(all.text)
  const [marked, setMarked] = useState(0)
  const { found, ask, loadMore } = useFound(all)
  const rows = found?.rows ?? []
  const list = useRef<HTMLDivElement>(null)
  const take = (row: Row | undefined) => row && close({ id: row.id, name: String(row['display_name'] ?? '') })

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [marked])

  function press(event: KeyboardEvent): void {
    const next = nextIndex(event.key, marked, rows.length)
    if (event.key === 'Enter') take(rows[marked])
    else if (next !== null && event.key.startsWith('Arrow')) setMarked(next)
    else return
    event.preventDefault()
  }

  return (
    <Dialog
      title={title}
      class="all-records"
      onClose={() => close(null)}
      footer={
        <>
          <span class="t3 grow" role="status">
            {found && tn(found.total, '{n} record', '{n} records')}
          </span>
          {all.mayCreate && <Button label={t('New…')} icon="plus" onClick={() => close('new')} />}
          <Button label={t('Cancel')} onClick={() => close(null)} />
        </>
      }
    >
      <div class="search">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="all-records"
          aria-activedescendant={rows.length > 0 ? `all-records-${marked}` : undefined}
          aria-label={t('Search')}
          placeholder={t('Search')}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value)
            setMarked(0)
            ask(value)
          }}
          onKeyDown={press}
        />
      </div>
      <div
        ref={list}
        id="all-records"
        class="rows"
        role="listbox"
        aria-label={title}
        aria-busy={found === null}
        style={{ '--about': about.length }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) loadMore()
        }}
      >
        {rows.map((row, index) => (
          <div
            key={row.id}
            id={`all-records-${index}`}
            class="mi"
            role="option"
            aria-selected={index === marked}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => marked !== index && setMarked(index)}
            onMouseUp={() => take(row)}
          >
            <span class="cut">
              <Marked text={String(row['display_name'] ?? '')} part={text} />
            </span>
            {aboutTexts(model, about, row).map((each, at) => (
              <span key={about[at]!.name} class={numeric(about[at]!) ? 'cut t2 num' : 'cut t2'}>
                {each}
              </span>
            ))}
          </div>
        ))}
        {found?.total === 0 && (
          <div class="mi t3" role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
            {t('Nothing found')}
          </div>
        )}
      </div>
    </Dialog>
  )
}

const numeric = ({ type }: WireField): boolean => type === 'monetary' || type === 'float' || type === 'integer'

/** The records of the text asked for last, with further ones on demand. */
function useFound({ model, about, searched, domain, text: first }: AllRecords) {
  const [found, setFound] = useState<Found | null>(null)
  const latest = useRef<Found | null>(null)
  latest.current = found
  const search = useMemo(() => {
    let abort = new AbortController()
    let isMore = false
    const { rpc } = services()
    const page = (text: string, offset: number, signal: AbortSignal) =>
      searchRead(rpc, model, matching(text), namesToRead(about), { limit: PAGE, offset, signal })
    const matching = (text: string) => [...domain, ...typedDomain(text, searched)]
    let current = first.trim()
    const run = (text: string) => {
      abort.abort()
      abort = new AbortController()
      const { signal } = abort
      current = text.trim()
      isMore = false
      Promise.all([page(current, 0, signal), countRecords(rpc, model, matching(current), { signal })]).then(
        ([rows, total]) => setFound({ rows, total }),
        (error: unknown) => signal.aborted || showError(error),
      )
    }
    const more = () => {
      const known = latest.current
      if (isMore || known === null || known.rows.length >= known.total) return
      isMore = true
      const { signal } = abort
      page(current, known.rows.length, signal).then(
        (rows) => {
          isMore = false
          setFound({ rows: [...known.rows, ...rows], total: rows.length === 0 ? known.rows.length : known.total })
        },
        (error: unknown) => signal.aborted || showError(error),
      )
    }
    return { run, later: debounce(run, TYPEAHEAD_MS), more, stop: () => abort.abort() }
  }, [])
  useEffect(() => {
    search.run(first)
    return () => {
      search.later.cancel()
      search.stop()
    }
  }, [search])
  return { found, ask: search.later, loadMore: search.more }
}
