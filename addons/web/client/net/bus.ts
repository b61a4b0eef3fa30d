import { type Signal, signal } from '@preact/signals'

/** Live events for the parts of the page that follow them. `start-deferred.ts` connects it; without a server that sends events none arrive. */
export interface Bus {
  /** Calls the listener with the events of one moment; returns a function that stops it. */
  listen(listener: (messages: readonly BusMessage[]) => void): () => void
  /** Calls the listener with the events of one channel. */
  on<C extends BusChannel>(channel: C, listener: (payloads: readonly BusPayloads[C][]) => void): () => void
  deliver(messages: readonly BusMessage[]): void
  /** The record that is open here; other users who have it open are told. */
  readonly present: Signal<OpenRecord | null>
}

export interface BusPayloads {
  readonly 'record.created': RecordEvent
  readonly 'record.updated': RecordEvent
  readonly 'record.deleted': RecordEvent
  /** A change after which this user may no longer read it. */
  readonly 'record.hidden': RecordRef
  readonly 'chatter.posted': RecordRef & { readonly message_id: number }
  readonly 'import.progress': {
    readonly id: number
    readonly done: number
    readonly total: number
    readonly state: string
  }
  readonly 'export.progress': { readonly ticket: string; readonly done: number }
  readonly 'module.changed': { readonly module: string; readonly state: string }
  readonly 'model.changed': { readonly model: string }
  readonly toast: { readonly level: 'info' | 'success' | 'warning' | 'error'; readonly text: string }
  /** Events were missed: what is on screen must be loaded again. */
  readonly resync: Readonly<Record<string, never>>
  /** All other users who have the record open; with id null: none are known any more. */
  readonly presence: OpenRecord & { readonly users: readonly Person[] }
}

export type BusChannel = keyof BusPayloads

export interface RecordRef {
  readonly model: string
  readonly id: number
}

/** A record, or with id null a board of many. */
export interface OpenRecord {
  readonly model: string
  readonly id: number | null
  /** The field that is typed in here, or `@writing` a message, or `@dragging` the record. */
  readonly doing?: string
}

/** A user at a record. */
export interface Person {
  readonly id: number
  readonly name: string
  readonly doing?: string
}

export interface RecordEvent extends RecordRef {
  readonly fields?: readonly string[]
  /** The user who deleted it; absent if the service itself did. */
  readonly by?: readonly [id: number, name: string]
}

export interface BusMessage {
  readonly channel: string
  readonly payload: unknown
  /** Whether this client made the change. */
  readonly isOwn?: boolean
}

export function createBus(): Bus {
  const listeners = new Set<(messages: readonly BusMessage[]) => void>()
  const listen: Bus['listen'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    listen,
    on: (channel, listener) =>
      listen((messages) => {
        const those = messages.filter((message) => message.channel === channel)
        // Each channel has its payload by contract.
        if (those.length > 0) listener(those.map(({ payload }) => payload as never))
      }),
    deliver(messages) {
      for (const listener of [...listeners]) {
        try {
          listener(messages)
        } catch (error) {
          // One part of the page that fails must not keep the others from following.
          reportError(error)
        }
      }
    },
    present: signal(null),
  }
}
