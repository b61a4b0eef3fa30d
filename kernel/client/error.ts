import type { ErrorCode } from '../errors.ts'

interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** A refused call. `code` is one of the contract's error codes; `details.fields` names refused fields. */
export class ModulusError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, error: WireError | null) {
    super(error?.message ?? `The service answered ${status} without saying why.`)
    this.name = 'ModulusError'
    this.status = status
    this.code = error?.code ?? 'INTERNAL'
    this.details = error?.details ?? {}
  }
}
