import { signal } from '@preact/signals'
import { afterEach, beforeEach, vi } from 'vitest'
import { fields } from '../../addons/web/client/core/registries.ts'
import type { CallError } from '../../addons/web/client/net/errors.ts'
import type { CallOptions, Retry, Rpc } from '../../addons/web/client/net/rpc.ts'
import { parseRoute } from '../../addons/web/client/router/codec.ts'
import { createGuards } from '../../addons/web/client/router/guard.ts'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createRecords } from '../../addons/web/client/store/records.ts'
import { createListModel, type ListModel } from '../../addons/web/client/views/list/model/model.ts'
import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireWorkspace } from '../../kernel/view/wire.ts'

const node = (tag: string, attrs: Record<string, string> = {}, children: ArchNode[] = []): ArchNode => ({
  tag,
  attrs,
  children,
  addon: 'project',
})

const workspaceOf = (changes: Partial<WireWorkspace>): WireWorkspace =>
  // The parts of a workspace a list is made of.
  ({
    model: 'project.task',
    actionId: 1,
    domain: [],
    searchDomain: [],
    defaults: {},
    listSort: '',
    listOffset: 0,
    listTotal: 2,
    listTotalExact: true,
    formBaseQuery: '',
    records: [
      { id: 1, name: 'One', planned: 4, remaining: 4, version: 1 },
      { id: 2, name: 'Two', planned: 5, remaining: 5, version: 1 },
    ],
    search: { panel: [], grouped: [], filters: [], fields: [], defaultFilters: [] },
    arch: {
      type: 'list',
      model: 'project.task',
      related: {},
      access: { create: true, write: true, unlink: true },
      fields: [
        { name: 'name', type: 'char', label: 'Name', required: true },
        { name: 'planned', type: 'float', label: 'Planned' },
        { name: 'remaining', type: 'float', label: 'Remaining', readonly: true },
        { name: 'note', type: 'char', label: 'Note' },
      ],
      root: node('list', { editable: 'bottom', multi_edit: '1' }, [
        node('field', { name: 'name' }),
        node('field', { name: 'planned' }),
        node('field', { name: 'remaining' }),
        node('field', { name: 'note', optional: 'hide' }),
      ]),
    },
    ...changes,
  }) as unknown as WireWorkspace

export interface Call {
  readonly method: string
  readonly args: readonly unknown[]
  readonly options: CallOptions | undefined
}

/** What a press of a button sends. */
export interface Acting {
  readonly ids: readonly number[]
  readonly action?: string
  readonly token?: string
}

const TAKEN = { done: [], possible: [], refused: [] }

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** A list over a server that answers as a test says. */
export function useList() {
  const world = {
    calls: [] as Call[],
    /** Values an onchange answers with. */
    onchange: {} as Record<string, unknown>,
    refusal: null as CallError | null,
    /** Records the server has. */
    count: 2,
    model: null as ListModel | null,
    /** Answers a search; null: the ids up to `count`. */
    search: null as (() => readonly Record<string, unknown>[]) | null,
    /** What was asked of buttons, and what the server answers; otherwise every record takes everything. */
    acts: [] as (Acting & { readonly path: string })[],
    act: (_: Acting): object => TAKEN,
    /** What waits for a server that is away. */
    retry: undefined as Retry | undefined,
    /** Called before the server answers. */
    hear: (_: Call): void => undefined,
    open(changes: Partial<WireWorkspace> = {}): ListModel {
      world.model = createListModel(workspaceOf(changes), parseRoute('/web?model=project.task'))
      return world.model
    },
    /** What was written, as method and arguments. */
    sent: () =>
      world.calls.flatMap(({ method, args }) =>
        ['write', 'create', 'unlink'].includes(method) ? [[method, args] as const] : [],
      ),
    asked: (method: string) => world.calls.filter((call) => call.method === method),
  }

  function search([domain]: readonly unknown[], { limit = 0 }: { readonly limit?: number }) {
    const leaves = domain as readonly (readonly [string, string, number])[]
    const after = leaves.find(([name, operator]) => name === 'id' && operator === '>')?.[2] ?? 0
    return Array.from({ length: Math.max(0, Math.min(limit, world.count - after)) }, (_, at) => ({
      id: after + at + 1,
    }))
  }

  beforeEach(() => {
    vi.stubGlobal('localStorage', storage())
    vi.stubGlobal('sessionStorage', storage())
    Object.assign(world, {
      calls: [],
      onchange: {},
      refusal: null,
      count: 2,
      model: null,
      search: null,
      acts: [],
      act: () => TAKEN,
      retry: undefined,
      hear: () => undefined,
    })
    const call = async (_: string, method: string, args: readonly unknown[], kwargs: object, options?: CallOptions) => {
      world.calls.push({ method, args, options })
      world.hear({ method, args, options })
      if (method === 'onchange') return { value: world.onchange, warnings: [] }
      if (['write', 'create', 'unlink'].includes(method) && world.refusal) throw world.refusal
      if (method === 'create') return 9
      if (method === 'search_read') return world.search?.() ?? search(args, kwargs)
      return method === 'read_group' ? [{ __count: world.count }] : true
    }
    const post = async (_: string, path: string, asked: Acting) => {
      world.acts.push({ ...asked, path })
      return world.act(asked)
    }
    const rpc = { call, post, read: async (_: string, ids: readonly number[]) => ids.map((id) => ({ id, version: 2 })) }
    const services = {
      records: createRecords(),
      rpc: rpc as unknown as Rpc,
      session: {
        bootstrap: { user: { id: 7 }, wcApiBase: '/web/wc' },
        online: signal(true),
        get retry() {
          return world.retry
        },
      },
      router: { guards: createGuards() },
      currentView: { shown: { peek: () => null } },
      preferences: { get: () => null, set: () => undefined },
    }
    provideServices(services as unknown as ClientServices)
    fields.add('char', { Widget: () => null })
    fields.add('float', { Widget: () => null })
  })
  afterEach(() => {
    world.model?.stop()
    vi.unstubAllGlobals()
  })
  return world
}
