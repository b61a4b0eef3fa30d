import { useComputed, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { debounce } from '../../../core/debounce.ts'
import { today } from '../../../core/format.ts'
import type { ListStore } from '../../../store/list.ts'
import { listParts, withListParts } from '../model/deferred-parts.ts'
import { type Layout, type Line, lineAt, placeOf, windowOf } from '../model/layout.ts'
import type { ListView } from '../model/list-view.ts'
import { Foot } from './footer.tsx'
import { Head } from './header.tsx'
import { ListRow, WaitRow } from './row.tsx'

/** Delay after scrolling before the visible rows are loaded. */
const SETTLE_MS = 50
/** Number of keys for placeholder rows; larger than the number of rows on any screen. */
const SLOTS = 256

/** The grid: heading and footer are sticky, and only the visible rows are rendered. */
export function Grid({ view }: { readonly view: ListView }) {
  const { model } = view
  const scroller = useRef<HTMLDivElement>(null)
  const { template, least } = model.tracks.value
  const heights = model.heights.value
  const semantics = {
    role: model.groups.value === null ? ('grid' as const) : ('treegrid' as const),
    'aria-label': model.workspace.value.title,
    'aria-rowcount': model.layout.value.count + 2,
    'aria-colcount': model.columns.value.length + 2,
    'aria-multiselectable': true,
    'aria-busy': model.list.isLoading.value,
  }
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => view.press(event),
    onMouseDown: (event: MouseEvent) => view.pointAt(event),
    onClick: (event: MouseEvent) => withListParts(({ clickCell }) => clickCell(event, view)),
    onAuxClick: (event: MouseEvent) => event.button === 1 && withListParts(({ openBeside }) => openBeside(event, view)),
    onDblClick: (event: MouseEvent) => withListParts(({ openCell }) => openCell(event, view)),
    // When the list gets the focus back, it goes to the row that had it before.
    onFocus: (event: FocusEvent) => event.target === event.currentTarget && view.comeBack(),
    onFocusIn: () => view.setFocused(true),
    onFocusOut: ({ relatedTarget }: FocusEvent) =>
      view.setFocused(relatedTarget instanceof Node && scroller.current?.contains(relatedTarget) === true),
  }

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    view.attach(element)
    // It tells the first size, too: after the layout and before the picture, so that measuring costs no layout of its own.
    const measured = new ResizeObserver(() => view.measure())
    measured.observe(element)
    return () => {
      measured.disconnect()
      view.attach(null)
    }
  }, [view])
  useStartingPlace(view, scroller)
  useLoading(view)

  return (
    <div class="scroll list" ref={scroller} data-scroll="list" onScroll={() => view.measure()}>
      <div
        class={model.arch.editable === null ? 'grid cards opens' : 'grid cards'}
        tabIndex={-1}
        data-focus="list"
        {...semantics}
        {...handlers}
        style={{
          '--cols': template,
          '--grid-min': `${least}px`,
          '--line-h': `${heights.row}px`,
          '--group-h': `${heights.group}px`,
        }}
      >
        <Head view={view} />
        <Body view={view} />
        <Foot view={view} />
      </div>
    </div>
  )
}

function Body({ view }: { readonly view: ListView }) {
  const { model } = view
  const layout = model.layout.value
  const day = today()
  // A string, so that scrolling within the rendered rows does not trigger a render.
  const range = useComputed(() => {
    const { top, height } = view.viewport.value
    const { from, to } = windowOf(model.layout.value, top, height)
    return `${from} ${to}`
  })
  const [from = 0, to = 0] = range.value.split(' ').map(Number)
  const cursor = model.cursor.value
  const isApart = (cursor.line < from || cursor.line >= to) && view.isFocused.value && cursor.line >= 0
  const lines = Array.from({ length: to - from }, (_, index) => from + index)
  // The focused row stays rendered when it is scrolled out of view.
  if (isApart && cursor.line < layout.count) lines.push(cursor.line)

  useLayoutEffect(() => view.settleFocus())
  // Keeps the cursor on an existing row, since otherwise no row could be reached with Tab.
  useEffect(() => {
    if (cursor.line >= layout.count && layout.count > 0) model.cursor.value = { ...cursor, line: layout.count - 1 }
  }, [cursor, layout.count])

  return (
    <div role="rowgroup" class="gb" style={{ height: `${layout.height}px` }}>
      {lines.map((line) => drawLine(view, layout, line, day))}
    </div>
  )
}

function drawLine(view: ListView, layout: Layout, line: number, day: string): ComponentChildren {
  const { model, editing } = view
  const found = lineAt(layout, line)
  if (!found) return null
  const cursor = model.cursor.value
  const columns = model.columns.value
  const common = {
    view,
    line,
    top: placeOf(layout, line).top,
    level: found.level,
    focus: cursor.line === line ? cursor.column : -1,
  }
  switch (found.kind) {
    case 'record': {
      const id = found.list.ids.value.value[found.at]
      // Rows that are not loaded reuse a fixed set of keys, so that fast scrolling moves existing elements instead of
      // creating new ones.
      const key = id === undefined ? `slot ${line % SLOTS}` : `${found.level} ${id}`
      return (
        <ListRow
          key={key}
          {...common}
          list={found.list}
          at={found.at}
          columns={columns}
          isSelected={id !== undefined && model.selection.has(id)}
          edit={id === undefined ? null : (editing.rows.value.get(id) ?? null)}
          day={day}
          typing={id !== undefined && editing.place.value?.row.id === id ? editing.place.value : null}
        />
      )
    }
    case 'new': {
      const NewRow = listParts.value?.NewRow
      return (
        NewRow && (
          <NewRow
            key="new"
            {...common}
            columns={columns}
            edit={editing.rows.value.get(0) ?? null}
            typing={editing.place.value?.row.id === null ? editing.place.value : null}
          />
        )
      )
    }
    case 'group': {
      const GroupRow = listParts.value?.GroupRow ?? WaitRow
      return (
        <GroupRow key={`group ${found.path}`} {...common} group={found.group} path={found.path} columns={columns} />
      )
    }
    case 'more': {
      const MoreRow = listParts.value?.MoreRow ?? WaitRow
      return <MoreRow key={`more ${found.path}`} {...common} path={found.path} rest={found.rest} />
    }
    case 'wait':
      return <WaitRow key={`slot ${line % SLOTS}`} {...common} />
  }
}

/** Scrolls to the offset of the address, and to the top after every new search. */
function useStartingPlace({ model }: ListView, scroller: { readonly current: HTMLElement | null }): void {
  const shown = useRef<{ readonly query: string; readonly offset: number } | null>(null)
  const { listOffset, listSort, searchDomain } = model.workspace.value
  const query = JSON.stringify([listSort, searchDomain])
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { query, offset: listOffset }
    const isSame = before?.query === query && before.offset === listOffset
    if (!scroller.current || isSame || (before === null && listOffset === 0)) return
    scroller.current.scrollTop = listOffset === 0 ? 0 : placeOf(model.layout.peek(), listOffset).top
  }, [query, listOffset])
}

/** Loads the visible rows when scrolling stops. */
function useLoading(view: ListView): void {
  const load = useRef(debounce(() => loadShown(view), SETTLE_MS))
  useSignalEffect(() => {
    void view.viewport.value
    void view.model.layout.value
    load.current()
  })
  useEffect(() => () => load.current.cancel(), [])
}

function loadShown({ model, viewport }: ListView): void {
  const layout = model.layout.peek()
  const { top, height } = viewport.peek()
  const { from, to } = windowOf(layout, top, height)
  const wanted = new Map<ListStore, { from: number; to: number }>()
  for (let index = from; index < to; index++) {
    const line: Line | null = lineAt(layout, index)
    if (line?.kind !== 'record') continue
    const known = wanted.get(line.list)
    wanted.set(line.list, { from: known?.from ?? line.at, to: line.at + 1 })
  }
  for (const [list, part] of wanted) {
    void list.ensure(part.from, part.to + hidden(list))
  }
}

/** Number of rows hidden while a delete can still be undone; the server still counts them. */
const hidden = ({ ids }: ListStore): number => ids.base.peek().length - ids.value.peek().length
