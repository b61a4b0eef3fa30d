import { z } from 'zod'
import { mayCallAction, mayReadOwn, mayUseModel, mayWriteField } from '../access/acl.ts'
import { scopeAllows } from '../access/key-scope.ts'
import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { isReading, METHODS, type RpcMethod } from './methods.ts'
import { errorResponses, errorSchema } from './openapi-errors.ts'

type Schema = Readonly<Record<string, unknown>>

/** The OpenAPI document of one caller. Its version is the module epoch, which is incremented whenever models change. */
export function describeApi(env: Env, caller: Caller): Schema {
  const models = [...env.registry.models.values()].filter((model) => methodsOf(env, caller, model).length > 0)
  return {
    openapi: '3.1.0',
    info: { title: 'Modulus', version: String(caller.state.epoch.modules) },
    paths: {
      '/api/rpc': { post: rpcOperation(env) },
      '/api/health': { get: plainOperation('The process is alive.') },
      '/api/ready': { get: plainOperation('The service is ready for requests.') },
      '/api/openapi.json': { get: plainOperation('This document.') },
    },
    security: [{ apiKey: [] }, { bearer: [] }, { session: [], csrf: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        session: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
      },
      schemas: {
        Call: { oneOf: [...METHODS].map(([name, method]) => callSchemaOf(name, method, models)) },
        Error: errorSchema(env.registry.reasons),
        ...Object.fromEntries(models.map((model) => [model.name, recordSchema(env, caller, model)])),
      },
    },
  }
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const jsonContent = (schema: Schema): Schema => ({ 'application/json': { schema } })

const plainOperation = (description: string): Schema => ({
  summary: description,
  responses: { '200': { description, content: jsonContent({ type: 'object' }) } },
})

function rpcOperation({ registry }: Env): Schema {
  const wrapped = {
    type: 'object',
    required: ['params'],
    additionalProperties: false,
    properties: { params: ref('Call') },
  }
  const header = (name: string, description: string): Schema => ({
    in: 'header',
    name,
    description,
    schema: { type: 'string' },
  })
  return {
    summary: 'Call a method of a model.',
    parameters: [
      header('X-Request-ID', 'Repeated in the answer.'),
      header('Idempotency-Key', 'A repeated changing call with the same key and body gets the first answer.'),
    ],
    requestBody: { required: true, content: jsonContent({ anyOf: [ref('Call'), wrapped] }) },
    responses: {
      '200': {
        description: 'The result of the method.',
        headers: {
          'X-Next-Cursor': { description: 'Cursor of the next page of a search.', schema: { type: 'string' } },
        },
        content: jsonContent({
          type: 'object',
          required: ['ok', 'result', 'error'],
          properties: { ok: { const: true }, result: {}, error: { type: 'null' } },
        }),
      },
      ...errorResponses(ref('Error'), registry.reasons),
    },
  }
}

function callSchemaOf(name: string, method: RpcMethod, models: readonly Model[]): Schema {
  return {
    type: 'object',
    title: name,
    description: method.summary,
    required: ['model', 'method', 'args'],
    additionalProperties: false,
    properties: {
      model: { enum: models.map((model) => model.name) },
      method: { const: name },
      args: inputSchema(method.args),
      kwargs: inputSchema(method.kwargs),
    },
  }
}

/** JSON Schema of what a caller may send. */
function inputSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

/** A record as read and written, with the methods the caller may call on it. */
function recordSchema(env: Env, caller: Caller, model: Model): Schema {
  const visible = [...model.fields.values()].filter((field) => mayReadOwn(env, field) || mayWriteField(env, field))
  return {
    type: 'object',
    title: model.label,
    properties: Object.fromEntries(visible.map((field) => [field.name, fieldSchema(env, field)])),
    'x-methods': methodsOf(env, caller, model),
    'x-actions': [...model.actions.keys()].filter((action) => mayCallAction(env, model, action)),
  }
}

function fieldSchema(env: Env, field: Field): Schema {
  return {
    ...field.type.schema(field),
    title: field.label,
    ...(field.help !== null && { description: field.help }),
    ...((field.system || field.readonly) && { readOnly: true }),
    ...(!mayReadOwn(env, field) && { writeOnly: true }),
  }
}

/** The methods that the caller may call on a model, by the model's `rpc` option, the access lines and the key's scope. */
function methodsOf(env: Env, { user }: Caller, model: Model): string[] {
  const offers = ([name, method]: readonly [string, RpcMethod]): boolean => {
    const isRead = isReading(method)
    if (model.rpc === 'none' || (model.rpc === 'read' && !isRead)) return false
    if (!mayUseModel(env, model.name, method.operation)) return false
    return scopeAllows(user.scope, { model: model.name, method: name, isRead })
  }
  return [...METHODS].filter(offers).map(([name]) => name)
}
