import { t } from '../../../core/i18n.ts'
import { writerOf } from '../../../store/records.ts'
import { hueOf, initialsOf } from '../../../ui/avatar.tsx'
import type { FormModel } from '../model/model.ts'
import { firstName } from './presence.tsx'

/** Attributes that mark a field in which another user is typing or that another user has just changed. */
export function peerMark(
  { others, recent, entry }: FormModel,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const peer = others.value.find(({ doing }) => doing === name)
  if (peer) return { 'data-hue': hueOf(peer.id), 'data-peer': t('{name} is typing', { name: firstName(peer) }) }
  const by = recent.value.has(name) ? writerOf(entry?.values.base.peek() ?? {}) : undefined
  return by && { 'data-hue': hueOf(by[0]), 'data-by': initialsOf(by[1]) }
}
