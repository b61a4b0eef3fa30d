import { debounce } from '../core/debounce.ts'
import { isAbort } from '../net/errors.ts'
import { services } from '../services.ts'
import type { RecordDraft } from './draft.ts'
import { askOnchange, type OnchangeAnswer } from './queries.ts'

/** Asks the server which other values change with an edit, shortly after the last one; only the newest answer is used. */
export interface Onchange {
  ask(name: string): void
  /** For a new record: its defaults and the values computed from them. */
  begin(): Promise<void>
  /** Resolves when no request is running. */
  settled(): Promise<void>
  stop(): void
}

export interface OnchangePorts {
  readonly draft: RecordDraft
  /** Fields of the view. */
  readonly names: readonly string[]
  readonly onAnswer: (answer: OnchangeAnswer) => void
  readonly onError: (error: unknown) => void
}

const WAIT_MS = 120

export function createOnchange({ draft, names, onAnswer, onError }: OnchangePorts): Onchange {
  const { rpc } = services()
  /** Fields edited since the last request. */
  let changed = new Set<string>()
  /** Fields the running request is about. */
  let asking: readonly string[] = []
  let abort = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let isBeginning = false

  const isKept = (name: string): boolean =>
    changed.has(name) || draft.invalidTexts.peek().some((each) => each.name === name && each.column === undefined)

  async function run(asked: readonly string[]): Promise<void> {
    const own = new AbortController()
    abort = own
    asking = asked
    try {
      const answer = await askOnchange(rpc, draft.model, draft.toValues(), asked, {
        ...(draft.id !== null && { id: draft.id }),
        fields: names,
        signal: own.signal,
      })
      if (own.signal.aborted) return
      asking = []
      // Fields edited after the request keep their newer values, and typed texts that are no values stay.
      const value = Object.fromEntries(Object.entries(answer.value).filter(([name]) => !isKept(name)))
      onAnswer({ ...answer, value })
    } catch (error) {
      if (isAbort(error) || own.signal.aborted) return
      asking = []
      onError(error)
    }
  }

  function send(): void {
    const asked = [...changed]
    changed = new Set()
    running = run(asked)
  }

  /** The defaults of a new record are loaded once, before anything else. */
  const sendAfterBegin = (): void => {
    if (isBeginning) running = running.then(send)
    else send()
  }
  const later = debounce(sendAfterBegin, WAIT_MS)

  return {
    ask(name) {
      if (!isBeginning) {
        // The running request used older values: its answer is ignored and its fields are asked for again.
        abort.abort()
        for (const each of asking) changed.add(each)
        asking = []
      }
      changed.add(name)
      later()
    },
    begin() {
      isBeginning = true
      running = run([]).finally(() => {
        isBeginning = false
      })
      return running
    },
    async settled() {
      later.cancel()
      if (changed.size > 0) sendAfterBegin()
      for (let seen: Promise<void> | null = null; seen !== running; await seen) seen = running
    },
    stop() {
      later.cancel()
      changed.clear()
      abort.abort()
    },
  }
}
