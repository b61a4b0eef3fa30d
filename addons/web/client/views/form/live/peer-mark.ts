import { t } from '../../../core/i18n.ts'
import { writerOf } from '../../../store/records.ts'
import { hueOf, initialsOf } from '../../../ui/avatar.tsx'
import type { FormModel } from '../model/model.ts'
import { firstName } from './presence.tsx'

/** Attributes of a field that somebody else is typing in, or has just changed, by which it is marked. */
export function peerMark(
  { others, recent, entry }: FormModel,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const peer = others.value.find(({ doing }) => doing === name)
  if (peer) return { 'data-hue': hueOf(peer.id), 'data-peer': t('{name} is typing', { name: firstName(peer) }) }
  const by = recent.value.has(name) ? writerOf(entry?.values.base.peek() ?? {}) : undefined
  return by && { 'data-hue': hueOf(by[0]), 'data-by': initialsOf(by[1]) }
}
