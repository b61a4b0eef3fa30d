import { hostname } from 'node:os'
import { type MailOutcome, type MailSender, sendDueMail } from '../../kernel/mail/mail-queue.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import type { WireMailServer } from '../../kernel/view/wire-operations.ts'
import type { Config } from '../config.ts'
import { createAlarm, createGrace, jittered } from './alarm.ts'
import { openSmtp } from './smtp.ts'

export interface MailLoop {
  /** Looks for mail soon: somebody has just queued some. */
  wake(): void
  /** Claims nothing more and waits for what is being sent, for up to `graceMs`; asked again, as long as it says then. */
  stop(graceMs: number): Promise<void>
}

export interface MailLoopOptions {
  readonly services: Services
  /** Names this process in the queue. */
  readonly owner: string
  readonly sender: MailSender
}

/** Whether this process may send mail. One that may not leaves the queue alone. */
export const isMailEnabled = (config: Config): boolean => config.smtp_host !== '' && config.smtp_from !== null

/** What administrators see of the settings. */
export const mailServerOf = ({ smtp_host, smtp_port, smtp_secure, smtp_user, smtp_from }: Config): WireMailServer => ({
  host: smtp_host,
  port: smtp_port,
  secure: smtp_secure,
  user: smtp_user,
  from: smtp_from === null ? '' : [smtp_from.name, `<${smtp_from.address}>`].filter(Boolean).join(' '),
})

/** The loop of a process with the mail server of its settings; undefined where there is none. */
export function openMail(
  config: Config,
  host: { readonly services: Services; readonly system: Db },
): MailLoop | undefined {
  if (!isMailEnabled(config)) return undefined
  const sender = openSmtp({
    host: config.smtp_host,
    port: config.smtp_port,
    secure: config.smtp_secure,
    user: config.smtp_user,
    password: config.smtp_password,
    from: config.smtp_from!,
  })
  const services = { ...host.services, db: host.system }
  const loop = startMailLoop({ services, owner: `${hostname()} ${process.pid}`, sender })
  return {
    wake: loop.wake,
    async stop(graceMs) {
      await loop.stop(graceMs)
      sender.close()
    },
  }
}

const LOOK_MS = 1_000
/** A transaction that queued a mail needs a moment to commit. */
const WAKE_MS = 100
/** Mails on their way at once. */
const LANES = 2
const BREAK_AFTER = 3
const PROBE_MS = 30_000
const NO_SERVER = `The mail server took none of ${BREAK_AFTER} mails: one is tried every ${PROBE_MS / 1_000} s, the others wait.`
const SERVER_AGAIN = 'The mail server answers again, and what waits is sent.'

/**
 * Sends what is due, about once a second, until there is no more. After three mails in a row without a server to take them it
 * tries one every 30 seconds only; the others wait in the queue, and their attempts are not used up.
 */
export function startMailLoop({ services, owner, sender }: MailLoopOptions): MailLoop {
  let failures = 0
  let probeAt = 0
  const waitFor = createGrace()
  let running: Promise<void> | null = null
  let isStopped = false
  let isAway = false
  const { observe } = services

  const isBroken = () => failures >= BREAK_AFTER

  const note = (outcome: MailOutcome['kind']): void => {
    const wasBroken = isBroken()
    failures = outcome === 'unreachable' || outcome === 'unclear' ? failures + 1 : 0
    if (isBroken()) probeAt = performance.now() + PROBE_MS
    if (isBroken() !== wasBroken) observe({ kind: 'warning', text: isBroken() ? NO_SERVER : SERVER_AGAIN })
  }

  const drain = async (): Promise<void> => {
    do {
      const outcome = await sendDueMail(services, owner, sender)
      if (outcome === null) return
      note(outcome)
    } while (!isStopped && !isBroken())
  }

  const look = async (): Promise<void> => {
    if (isBroken() && performance.now() < probeAt) return
    const lanes = isBroken() ? 1 : LANES
    const ends = await Promise.allSettled(Array.from({ length: lanes }, drain))
    const failed = ends.find((end) => end.status === 'rejected')
    // Once per outage: the queue is looked at every second.
    if (failed && !isAway)
      observe({ kind: 'warning', text: `The mail queue cannot be read: ${messageOf(failed.reason)}` })
    isAway = failed !== undefined
  }

  const alarm = createAlarm(() => {
    running = look().finally(() => {
      running = null
      alarm.set(jittered(LOOK_MS))
    })
  })

  alarm.set(0)
  return {
    wake() {
      // What is running looks again by itself.
      if (running === null) alarm.set(WAKE_MS)
    },
    async stop(graceMs) {
      isStopped = true
      alarm.stop()
      await waitFor(running, graceMs)
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
