import type { WireChangeKind, WireModuleChange } from '../../../../../kernel/module/wire-modules.ts'
import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'

/** A change in words: its sign, a sentence, and an amount. */
export interface ChangeWords {
  readonly icon: string
  readonly tone: 'good' | 'plain' | 'bad'
  readonly text: string
  readonly count: string
}

const SIGNS: Readonly<Record<WireChangeKind, readonly [icon: string, tone: ChangeWords['tone']]>> = {
  add: ['plus', 'good'],
  back: ['rotate-ccw', 'good'],
  change: ['pencil', 'plain'],
  keep: ['check', 'plain'],
  rewrite: ['pencil', 'plain'],
  lose: ['triangle-alert', 'bad'],
  aside: ['archive', 'plain'],
  remove: ['trash-2', 'plain'],
  hide: ['eye-off', 'plain'],
  pause: ['clock', 'plain'],
  stay: ['check', 'good'],
}

/** Further names are only counted. */
const MAX_NAMES = 6

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  const more = names.length - MAX_NAMES
  return more > 0 ? t('{names} and {n} more', { names: shown, n: formatInteger(more) }) : shown
}

const records = (count: number) => tn(count, '{n} record', '{n} records', { n: formatInteger(count) })
const values = (count: number) => tn(count, '{n} value', '{n} values', { n: formatInteger(count) })

export function changeWords({ kind, what, model, names, count }: WireModuleChange): ChangeWords {
  const [icon, tone] = SIGNS[kind]
  if (what === 'models')
    return {
      icon,
      tone,
      text: t('New kinds of records: {names}', { names: listed(names) }),
      count: tn(count, '{n} kind', '{n} kinds', { n: formatInteger(count) }),
    }
  if (what === 'records') return { icon, tone, text: recordsText(kind, model), count: records(count) }
  return {
    icon,
    tone,
    text: fieldsText(kind, model, listed(names)),
    count: kind === 'add' ? tn(count, '{n} field', '{n} fields', { n: formatInteger(count) }) : values(count),
  }
}

/** Whole sentences, so that every language has its own order of words. */
function recordsText(kind: WireChangeKind, model: string): string {
  switch (kind) {
    case 'back':
      return t('{model}: comes back as it was', { model })
    case 'change':
      return t('{model}: brought up to date', { model })
    case 'keep':
      return t('{model}: stays as you changed it', { model })
    case 'aside':
      return t('{model}: set aside', { model })
    case 'remove':
      return t('{model}: deleted', { model })
    case 'hide':
      return t('{model}: hidden until it is activated again', { model })
    case 'pause':
      return t('{model}: waits until it is activated again', { model })
    case 'stay':
      return t('{model}: stays as it is', { model })
    default:
      return t('{model}: new', { model })
  }
}

function fieldsText(kind: WireChangeKind, model: string, names: string): string {
  switch (kind) {
    case 'add':
      return t('{model} gains {names}', { model, names })
    case 'rewrite':
      return t('{model}: the values of {names} get another form', { model, names })
    case 'lose':
      return t('{model}: values of {names} are lost', { model, names })
    case 'back':
      return t('{model}: the values of {names} come back', { model, names })
    case 'stay':
      return t('{model}: the values of {names} stay', { model, names })
    default:
      return t('{model} loses {names}; the values are set aside', { model, names })
  }
}
