import { access, constants } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { DocumentContent, DocumentRenderer, RenderOptions } from '../../../kernel/document/content.ts'
import { callerLeft, tookTooLong, unavailable } from '../../../kernel/errors.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import type { Observe } from '../../../kernel/observation.ts'
import { openSharedGate } from '../../work-gate.ts'
import { explainFileError } from '../file/file-error.ts'
import type { ThreadAnswer, ThreadData } from './document-thread.ts'

export interface DocumentOptions {
  /** Paths of fonts for characters that the font of the program lacks. */
  readonly fonts: readonly string[]
  readonly observe: Observe
  /** The built code of the thread, beside the program. */
  readonly program?: URL
}

/** A renderer that uses its own thread. */
export interface DocumentThread extends DocumentRenderer {
  close(): Promise<void>
}

/** The thread, which holds fonts in memory, ends after this time without work. */
const IDLE_MS = 120_000
const MEMORY_MB = 512
const PROGRAM = new URL('./document-thread.js', import.meta.url)

/**
 * Makes PDF files in a thread, one after the other. The thread starts with the first of them. A caller who leaves loses its place; if its
 * document is already being made, the thread is ended.
 */
export function openDocuments({ fonts, observe, program = PROGRAM }: DocumentOptions): DocumentThread {
  const gate = openSharedGate({
    most: 1,
    waiting: LIMITS.pdfWaiting,
    ownWaiting: LIMITS.pdfUserWaiting,
    waitMs: LIMITS.pdfWaitMs,
  })
  const closed = new AbortController()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  const end = async () => {
    const ended = thread
    thread = undefined
    clearTimeout(idle)
    await ended?.terminate()
  }

  const start = (): Worker => {
    const data: ThreadData = { fonts }
    const started = new Worker(program, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    // Without a listener an error of the thread would end the process.
    started.on('error', () => {
      if (thread === started) thread = undefined
    })
    started.on('message', (message: ThreadAnswer) => {
      if (message.kind === 'warning') observe(message)
    })
    return started
  }

  return {
    async render(content, { subject, signal, waitMs, workMs = LIMITS.pdfMs }) {
      const ended = signal === undefined ? closed.signal : AbortSignal.any([closed.signal, signal])
      const leave = await gate.enter(subject, { signal: ended, ...(waitMs !== undefined && { waitMs }) })
      if (ended.aborted) leave?.()
      if (closed.signal.aborted) throw shuttingDown()
      if (signal?.aborted) throw callerLeft()
      if (leave === null) return null
      clearTimeout(idle)
      thread ??= start()
      try {
        return await ask(thread, content, { signal, workMs })
      } catch (error) {
        await end()
        throw error
      } finally {
        clearTimeout(idle)
        idle = setTimeout(() => void end(), IDLE_MS).unref()
        leave()
      }
    },
    async close() {
      closed.abort()
      await end()
    },
  }
}

/** Sends a document and waits for its file. The process stays alive for that long, and no longer. */
function ask(
  thread: Worker,
  content: DocumentContent,
  { signal, workMs }: Pick<RenderOptions, 'signal' | 'workMs'>,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', left)
      thread.off('message', hear).off('error', fail).off('exit', stopped)
      thread.unref()
      outcome()
    }
    const hear = (message: ThreadAnswer) => {
      if (message.kind === 'done') settle(() => resolve(message.file))
      if (message.kind === 'failed') settle(() => reject(message.error))
    }
    const fail = (error: Error & { readonly code?: string }) =>
      settle(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : error))
    const stopped = () => settle(() => reject(shuttingDown()))
    const left = () => settle(() => reject(callerLeft()))
    const timer = setTimeout(() => settle(() => reject(tookTooLong())), workMs)
    signal?.addEventListener('abort', left)
    thread.on('message', hear).on('error', fail).on('exit', stopped)
    thread.ref()
    thread.postMessage(content)
  })
}

const shuttingDown = () => unavailable('not_ready', 'The service is shutting down.')

const tooLarge = (cause: Error) =>
  unavailable('capacity_exhausted', 'This document is too large to be made.', 60, cause)

/** Stops the start with one line if a font of the settings cannot be read. */
export async function requireFonts(paths: readonly string[], setting = 'pdf_fonts'): Promise<void> {
  for (const path of paths)
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new Error(`${setting}: ${explainFileError(cause) ?? `${path} cannot be read.`}`, { cause })
    })
}
