import { ERROR_STATUS, type ErrorCode } from '../errors.ts'
import { type ListedReason, listReasons, REASONS } from '../reasons.ts'

type Schema = Readonly<Record<string, unknown>>

/** Reasons of the kernel and of the installed addons. */
const allReasons = (ofAddons: readonly ListedReason[]): readonly ListedReason[] => [
  ...listReasons(REASONS),
  ...ofAddons,
]

/** The error envelope: which reasons come with which code. */
export function errorSchema(ofAddons: readonly ListedReason[]): Schema {
  const reasons = allReasons(ofAddons)
  const errorOf = (code: string): Schema => ({
    type: 'object',
    title: code,
    required: ['code', 'message', 'details'],
    properties: {
      code: { const: code },
      message: { type: 'string' },
      details: {
        type: 'object',
        required: ['reason'],
        properties: { reason: { enum: reasons.filter((one) => one.code === code).map(({ reason }) => reason) } },
      },
    },
  })
  return {
    type: 'object',
    required: ['ok', 'result', 'error'],
    properties: {
      ok: { const: false },
      result: { type: 'null' },
      error: { oneOf: Object.keys(ERROR_STATUS).map(errorOf) },
    },
  }
}

/** The error answers by status, with an example for every reason. */
export function errorResponses(schema: Schema, ofAddons: readonly ListedReason[]): Schema {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  const responses: Record<string, Schema> = {}
  for (const status of new Set(Object.values(ERROR_STATUS))) {
    const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status)
    const reasons = allReasons(ofAddons).filter(({ code }) => ofStatus.includes(code))
    const examples = Object.fromEntries(reasons.map((reason) => [reason.reason, exampleOf(reason)]))
    responses[status] = { description: ofStatus.join(', '), content: { 'application/json': { schema, examples } } }
  }
  return responses
}

const exampleOf = ({ reason, code, meaning, example, details }: ListedReason): Schema => ({
  summary: meaning,
  value: { ok: false, result: null, error: { code, message: example, details: { reason, ...details } } },
})
