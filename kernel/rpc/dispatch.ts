import { requireModel, requireWritableModel } from '../access/acl.ts'
import { requireScope } from '../access/key-scope.ts'
import { unknownModel } from '../access/reach.ts'
import { Unproven } from '../auth/known-callers.ts'
import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import { AppError, isOfLeaving, refusal } from '../errors.ts'
import { parseInput } from '../http/parse.ts'
import { type Answer, envelope, envelopeText } from '../http/respond.ts'
import type { Model } from '../model/registry.ts'
import type { Observation } from '../observation.ts'
import type { Exchange } from '../serve/route.ts'
import { translatePgError } from '../sql/pg-error.ts'
import { Outdated } from '../work/outdated.ts'
import { type WorkOptions, workAs } from '../work/unit-of-work.ts'
import type { RpcCall } from './envelope.ts'
import { idempotencyKey, once } from './idempotency.ts'
import { isReading, METHODS, type RpcMethod } from './methods.ts'

export interface RpcRequest extends Exchange {
  readonly caller: Caller
  readonly rawBody: Uint8Array
}

/** Runs one call and reports its outcome to the host. */
export async function dispatch(request: RpcRequest, call: RpcCall): Promise<Answer> {
  try {
    const answer = await execute(request, call)
    observe(request, call, 'OK')
    return answer
  } catch (error) {
    // The request is handled again and reported then.
    if (error instanceof Unproven || error instanceof Outdated) throw error
    const known = translatePgError(error)
    const code = known instanceof AppError ? known.code : 'INTERNAL'
    observe(request, call, isOfLeaving(known, request.request) ? 'CALLER_LEFT' : code)
    throw known
  }
}

async function execute(request: RpcRequest, call: RpcCall): Promise<Answer> {
  const { caller } = request
  const method = findMethod(call.method)
  const model = findModel(caller, call.model, call.method, method)
  const args = parseInput(method.args, call.args, 'args')
  const kwargs = parseInput(method.kwargs, call.kwargs ?? {}, 'kwargs')
  request.services.trace?.lap('parse')
  request.services.trace?.call?.(`${model.name}.${call.method}`)
  const key = isReading(method) ? null : idempotencyKey(request.request.headers)
  const answer = async (env: Env): Promise<Answer | AppError> => {
    requireModel(env, model, method.operation)
    if (key !== null) {
      return once(env, key, request.rawBody, async () => {
        const { result } = await method.run(env, model, args, kwargs)
        return result instanceof AppError ? result : envelopeText(result)
      })
    }
    const { result, headers } = await method.run(env, model, args, kwargs)
    if (result instanceof AppError) return result
    const answer = envelope(result, headers)
    request.services.trace?.lap('serialise')
    return answer
  }
  // Every method takes `lang` and `tz`; the common type of the table does not express that.
  const { lang, tz } = kwargs as WorkOptions
  const answered = await workAs(request, caller, method.kind, answer, { lang, tz })
  if (answered instanceof AppError) throw answered
  return answered
}

function findMethod(name: string): RpcMethod {
  const method = METHODS.get(name)
  if (method) return method
  throw refusal('METHOD_NOT_ALLOWED', 'method_unknown', 'There is no such method.', { methods: [...METHODS.keys()] })
}

/** The model of a call, if RPC serves the method on it and the key's scope covers it. Rights of the user come later. */
function findModel({ state, user }: Caller, name: string, methodName: string, method: RpcMethod): Model {
  const isRead = isReading(method)
  requireScope(user.scope, { model: name, method: methodName, isRead })
  const model = state.registry.model(name)
  if (model === undefined || model.rpc === 'none') throw unknownModel(state.registry.translatorIn(user.lang), name)
  if (!isRead) requireWritableModel(model)
  return model
}

/** Names become metric labels, so only existing models and methods are reported. An unverified caller's failed attempt is not. */
function observe(
  { services, requestId, startedAt, caller }: RpcRequest,
  call: RpcCall,
  code: (Observation & { kind: 'rpc' })['code'],
): void {
  if (caller.proof?.isProven === false) return
  const model = caller.state.registry.model(call.model) ? call.model : 'other'
  const method = METHODS.has(call.method) ? call.method : 'other'
  services.observe({
    kind: 'rpc',
    requestId,
    model,
    method,
    code,
    ms: services.clock().getTime() - startedAt.getTime(),
  })
}
