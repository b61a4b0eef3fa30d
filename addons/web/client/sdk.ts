/** What client code of addons, and every view, may import. Anything else is an inner matter of the client. */
export {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
export type { ComponentChildren, ComponentType } from 'preact'
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
export type { ArchNode } from '../../../kernel/view/arch.ts'
export type * from '../../../kernel/view/wire.ts'
export { debounce, TYPEAHEAD_MS } from './core/debounce.ts'
export { holds, type Scope } from './core/expression.ts'
export * from './core/format.ts'
export { type Hotkey, hotkeys, isEditor } from './core/hotkeys.ts'
export { addCatalogue, currentLanguage, msg, t, tn } from './core/i18n.ts'
export { parseDate, parseInteger, parseNumber } from './core/parse.ts'
export * from './core/registries.ts'
export { fetchMessages, postMessage } from './net/chatter.ts'
export { CallError, explain, isAbort, missingFields } from './net/errors.ts'
export type { CallOptions, Row, Rpc } from './net/rpc.ts'
export { changeRoute, formatQuery, formatRoute, parseRoute, type Route, type RouteParams } from './router/codec.ts'
export { type ClientServices, services } from './services.ts'
export { type RecordConflict, readConflict } from './store/conflict.ts'
export { createDraft, type Draft } from './store/draft.ts'
export { findDraft, keepDraft } from './store/draft-keeper.ts'
export { type DraftRecordOptions, recordOfDraft } from './store/draft-record.ts'
export { type Group, type GroupQuery, loadGroups, openGroup, splitGroupItem } from './store/group.ts'
export { createLayered, type Layered } from './store/layered.ts'
export { createList, type ListQuery, type ListStore } from './store/list.ts'
export { changeLayered, changeValues, runOptimistic } from './store/optimistic.ts'
export * from './store/queries.ts'
export { type RecordEntry, type RecordStore, sameValue, type Values, valuesOf } from './store/records.ts'
export * from './store/x2many.ts'
export { Avatar, hueOf, initialsOf } from './ui/avatar.tsx'
export { Button, type ButtonProps } from './ui/button.tsx'
export { classNames } from './ui/class-names.ts'
export { Combobox, Marked, type Option } from './ui/combobox.tsx'
export { confirm, Dialog, openDialog } from './ui/dialog.tsx'
export { Empty, ErrorState } from './ui/empty.tsx'
export { Icon } from './ui/icon.tsx'
export type { IconName } from './ui/icon-names.ts'
export { Kbd } from './ui/kbd.tsx'
export { Menu, MenuButton, type MenuItem, nextIndex } from './ui/menu.tsx'
export { Pager } from './ui/pager.tsx'
export { Popover } from './ui/popover.tsx'
export { SafeHtml } from './ui/safe-html.tsx'
export { Patient, SkeletonRows } from './ui/skeleton.tsx'
export { type Tab, Tabs } from './ui/tabs.tsx'
export { showError, showToast, type Toast } from './ui/toasts.tsx'
export { VIEW_ICONS } from './views/view-icons.ts'
