/** What client code of addons, and every view, may import, besides sdk-edit.ts. Anything else is an inner matter of the client. */
export {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
export { type ComponentChildren, type ComponentType, Fragment, h } from 'preact'
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
// What JSX of client code that is built by itself becomes calls of.
export { jsx, jsxs } from 'preact/jsx-runtime'
export type { ArchNode } from '../../../kernel/view/arch.ts'
export type * from '../../../kernel/view/wire.ts'
export { debounce, TYPEAHEAD_MS } from './core/debounce.ts'
export { holds, type Scope } from './core/expression.ts'
export * from './core/format.ts'
export { type Hotkey, hotkeys, isEditor } from './core/hotkeys.ts'
export { addCatalogue, currentLanguage, languages, msg, t, tn } from './core/i18n.ts'
export { type Late, late } from './core/late.ts'
export { parseDate, parseInteger, parseNumber } from './core/parse.ts'
export * from './core/registries.ts'
export { adoptStyles } from './core/styles.ts'
export { CallError, explain, isAbort, missingFields } from './net/errors.ts'
export type { CallOptions, Row, Rpc } from './net/rpc.ts'
export { fetchWorkspace } from './net/workspace.ts'
export { changeRoute, formatQuery, formatRoute, parseRoute, type Route, type RouteParams } from './router/codec.ts'
export { searchChanges } from './search/change-search.ts'
export { searchableFields } from './search/field-catalogue.ts'
export { Nothing } from './search/nothing.tsx'
export { type Search, searchOf, useSearch } from './search/search-model.ts'
export { ViewFrame, type ViewFrameProps } from './search/view-frame.tsx'
export { type ClientServices, services } from './services.ts'
export { type Group, type GroupQuery, loadGroups, openGroup, splitGroupItem, toGroup } from './store/group.ts'
export { createLayered, type Layered } from './store/layered.ts'
export { createList, type ListQuery, type ListStore } from './store/list.ts'
export { changeLayered, changeValues, runOptimistic } from './store/optimistic.ts'
export { moveId, renumber } from './store/positions.ts'
export type { Preferences } from './store/preferences.ts'
export * from './store/queries.ts'
export { type RecordEntry, type RecordStore, sameValue, type Values, valuesOf } from './store/records.ts'
export { findWalk, rememberWalk, type Walk } from './store/walk.ts'
export { announce } from './ui/announce.ts'
export { Avatar, hueOf, initialsOf } from './ui/avatar.tsx'
export { Button, type ButtonProps } from './ui/button.tsx'
export { classNames } from './ui/class-names.ts'
export { confirm, Dialog, openDialog } from './ui/dialog.tsx'
export { Empty, ErrorState } from './ui/empty.tsx'
export { Icon } from './ui/icon.tsx'
export type { IconName } from './ui/icon-names.ts'
export { Kbd } from './ui/kbd.tsx'
export { Marked } from './ui/marked.tsx'
export { Menu, MenuButton, type MenuItem, nextIndex } from './ui/menu.tsx'
export { Pager } from './ui/pager.tsx'
export { Popover } from './ui/popover.tsx'
export { SafeHtml } from './ui/safe-html.tsx'
export { Patient, SkeletonRows } from './ui/skeleton.tsx'
export { showError, showToast, type Toast } from './ui/toasts.tsx'
export { InTopbar, TopbarSlot } from './ui/topbar-slot.tsx'
export { offerUndo, type Undoable } from './ui/undo.ts'
export { createFolds, type Folds } from './views/list/folds.ts'
export { groupLabel } from './views/list/grouping.ts'
export { openRecord, type RecordRequest } from './views/open-record.ts'
export { VIEW_ICONS } from './views/view-icons.ts'
