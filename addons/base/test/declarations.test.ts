import { describe, expect, test } from 'vitest'
import { compileRegistry } from '../../../kernel/model/compile-registry.ts'
import base from '../addon.ts'

const registry = compileRegistry([base])

describe('the models of base', () => {
  test('are exactly the models of the kernel, and those for what users arranged in the client', () => {
    expect([...registry.models.keys()].sort()).toEqual(
      [
        ...['user', 'group', 'company', 'partner', 'tag', 'currency', 'country', 'api.key'].map(
          (name) => `core.${name}`,
        ),
        ...['model', 'field', 'access', 'rule', 'view', 'action', 'menu', 'module', 'cron', 'cron.run'].map(
          (name) => `sys.${name}`,
        ),
        ...['sequence', 'bulk.import', 'filter', 'log', 'setting', 'xmlid', 'preference'].map((name) => `sys.${name}`),
        ...['audit', 'dashboard', 'dashboard.tile', 'export.set'].map((name) => `sys.${name}`),
      ].sort(),
    )
  })

  test('that describe the service itself are read-only through RPC', () => {
    const readOnly = [...registry.models.values()].filter((model) => model.rpc === 'read').map((model) => model.name)
    expect(readOnly.sort()).toEqual([
      ...['sys.audit', 'sys.cron.run', 'sys.field', 'sys.log', 'sys.model', 'sys.module', 'sys.xmlid'],
    ])
  })

  test('keep no secret in a column', () => {
    const fields = [...registry.models.values()].flatMap((model) => [...model.fields.values()])
    for (const field of fields.filter(({ name }) => /password|hash|secret|token/.test(name))) {
      expect(field).toMatchObject({ secret: true, column: null })
    }
  })

  test('have an access line each, and every line has a group', () => {
    const access = base.data
      .find((file) => file.name === 'security/access.csv')!
      .text.trim()
      .split('\n')
      .slice(1)
    const models = new Set(access.map((line) => line.split(',')[1]))
    expect([...registry.models.keys()].filter((name) => !models.has(name))).toEqual([])
    expect(access.every((line) => line.split(',')[2] !== '')).toBe(true)
  })
})
