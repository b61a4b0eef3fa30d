import { hostname } from 'node:os'
import { isRetryAsked, type MailOutcome, type MailSender, sendDueMail } from '../../../kernel/mail/mail-queue.ts'
import { OWN_REQUEST } from '../../../kernel/own-request.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { createAlarm, jittered } from '../timer/alarm.ts'
import { createGrace } from '../timer/grace.ts'
import { followMailServer } from './follow-mail-server.ts'

export interface MailLoop {
  /** Mail was queued: looks for it soon. */
  wake(): void
  /** Claims no more mails and waits for those being sent, for up to `graceMs`; a later call sets a new limit. */
  stop(graceMs: number): Promise<void>
}

export interface MailLoopOptions {
  readonly services: Services
  /** Names this process in the queue. */
  readonly owner: string
  /** The sender of the next mail. Null: there is none, so the queue waits. A different one: the settings have changed. */
  readonly sender: () => Promise<MailSender | null>
}

/** The loop of a process, with the mail server of its own settings or of those in the database. */
export function openMail(host: { readonly services: Services; readonly system: Db }): MailLoop {
  const services = { ...host.services, db: host.system }
  const server = followMailServer(services)
  const loop = startMailLoop({ services, owner: `${hostname()} ${process.pid}`, sender: server.sender })
  return {
    wake: loop.wake,
    async stop(graceMs) {
      await loop.stop(graceMs)
      server.close()
    },
  }
}

/** The calls that have waited for the start come first. */
const FIRST_LOOK_MS = 250
const LOOK_MS = 1_000
/** A transaction that queued a mail needs a moment to commit. */
const WAKE_MS = 100
/** Mails that are sent at the same time. */
const LANES = 2
const BREAK_AFTER = 3
const PROBE_MS = 30_000
const NO_SERVER = `The mail server took none of ${BREAK_AFTER} mails: one is tried every ${PROBE_MS / 1_000} s, the others wait.`
const SERVER_AGAIN = 'The mail server answers again, and what waits is sent.'

/**
 * Looks for due mails about once a second and sends all of them. After three mails in a row failed to reach the server, it tries only one
 * every 30 seconds, and mails that a user wants tried again; the others wait in the queue without using up their attempts. New settings
 * end such a pause.
 */
export function startMailLoop({ services, owner, sender: findSender }: MailLoopOptions): MailLoop {
  let known: MailSender | null = null
  let failures = 0
  let probeAt = 0
  const waitFor = createGrace()
  let running: Promise<void> | null = null
  let isStopped = false
  let isFailing = false
  const { observe } = services

  const isBroken = () => failures >= BREAK_AFTER
  const isPausing = () => isBroken() && performance.now() < probeAt

  const note = (outcome: MailOutcome['kind']): void => {
    const wasBroken = isBroken()
    failures = outcome === 'unreachable' || outcome === 'unclear' ? failures + 1 : 0
    if (isBroken()) probeAt = performance.now() + PROBE_MS
    if (isBroken() !== wasBroken) observe({ kind: 'warning', text: isBroken() ? NO_SERVER : SERVER_AGAIN })
  }

  const currentSender = async (): Promise<MailSender | null> => {
    const sender = await findSender()
    if (sender !== known) failures = 0
    known = sender
    return sender
  }

  const drain = async (): Promise<void> => {
    do {
      // Read first, since new settings end the pause.
      const sender = await currentSender()
      if (sender === null || (isPausing() && !(await isRetryAsked(services)))) return
      const outcome = await sendDueMail(services, owner, sender)
      if (outcome === null) return
      // An outcome of the former server says nothing about the current one.
      if (sender === known) note(outcome)
    } while (!isStopped && !isBroken())
  }

  const look = async (): Promise<void> => {
    const lanes = isBroken() ? 1 : LANES
    const ends = await Promise.allSettled(Array.from({ length: lanes }, drain))
    const failed = ends.find((end) => end.status === 'rejected')
    // Reported once per outage, since the queue is read every second.
    if (failed && !isFailing) observe({ kind: 'failure', requestId: OWN_REQUEST.mail, error: failed.reason })
    isFailing = failed !== undefined
  }

  const alarm = createAlarm(() => {
    running = look().finally(() => {
      running = null
      alarm.set(jittered(LOOK_MS))
    })
  })

  alarm.set(FIRST_LOOK_MS)
  return {
    wake() {
      // A running loop looks again by itself.
      if (running === null) alarm.set(WAKE_MS)
    },
    async stop(graceMs) {
      isStopped = true
      alarm.stop()
      await waitFor(running, graceMs)
    },
  }
}
