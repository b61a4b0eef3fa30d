import { t } from '../../../core/i18n.ts'
import { hueOf } from '../../../ui/avatar.tsx'
import type { FormModel } from '../model/model.ts'
import { firstName } from './presence.tsx'

/** Attributes of a field that somebody else is typing in, by which it is marked. */
export function peerMark({ others }: FormModel, name: string): Readonly<Record<string, string>> | undefined {
  const peer = others.value.find(({ doing }) => doing === name)
  return peer && { 'data-hue': hueOf(peer.id), 'data-peer': t('{name} is typing', { name: firstName(peer) }) }
}
