import { signal } from '@preact/signals'
import { describe, expect, test, vi } from 'vitest'
import { awaitServer } from '../../addons/web/client/net/await-server.ts'
import { CallError } from '../../addons/web/client/net/errors.ts'
import { createRetryKeys } from '../../addons/web/client/net/retry-keys.ts'
import { createRpc, type Rpc } from '../../addons/web/client/net/rpc.ts'
import { createTransport, type TransportHooks, waitMs } from '../../addons/web/client/net/transport.ts'
import { showError, ToastHost } from '../../addons/web/client/ui/toasts.tsx'

interface Sent {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: { readonly model: string; readonly method: string; readonly args: readonly unknown[] }
  readonly signal: AbortSignal | undefined
}

type Reply = (sent: Sent) => Response | Promise<Response>

const ok = (result: unknown) => Response.json({ ok: true, result, error: null })
const refused = (status: number, code: string, extra: { details?: object; headers?: Record<string, string> } = {}) =>
  Response.json(
    { ok: false, result: null, error: { code, message: 'No.', details: extra.details ?? {} } },
    { status, headers: extra.headers ?? {} },
  )

function openRpc(reply: Reply, hooks: Partial<TransportHooks> = {}) {
  const sent: Sent[] = []
  const waits: number[] = []
  let ids = 0
  const fakeFetch = async (url: unknown, init: RequestInit = {}) => {
    const request: Sent = {
      url: String(url),
      // The transport sends plain objects.
      headers: init.headers as Record<string, string>,
      body: JSON.parse(String(init.body ?? '{}')),
      signal: init.signal ?? undefined,
    }
    sent.push(request)
    return reply(request)
  }
  const transport = createTransport(
    { fetch: fakeFetch, sleep: async (ms) => void waits.push(ms), uniqueId: () => `id-${++ids}`, random: () => 0 },
    {
      csrfToken: () => 'token',
      renewToken: async () => null,
      onSignedOut() {},
      onReachable() {},
      confirmPassword: async () => false,
      ...hooks,
    },
  )
  return { rpc: createRpc('/api/rpc', transport, { retryKeys: createRetryKeys() }), sent, waits }
}

const failing = (rpc: Rpc, method = 'search', args: readonly unknown[] = [[]]) =>
  rpc.call('sale.order', method, args).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('a call', () => {
  test('after an event asks for the newest state, and a change never does', async () => {
    const { rpc, sent } = openRpc(() => ok([]))
    await rpc.read('sale.order', [1], ['name'])
    rpc.expectNews()
    await rpc.read('sale.order', [1], ['name'])
    await rpc.call('sale.order', 'write', [[1], {}])
    expect(sent.map(({ headers }) => headers['cache-control'])).toEqual([undefined, 'no-cache', undefined])
  })

  test('carries the token and its own request id', async () => {
    const { rpc, sent } = openRpc(() => ok([]))
    await rpc.call('sale.order', 'search', [[]])
    await rpc.call('sale.order', 'search', [[['id', '=', 1]]])
    expect(sent.map(({ headers }) => headers['x-csrf-token'])).toEqual(['token', 'token'])
    expect(sent[0]!.headers['x-request-id']).not.toBe(sent[1]!.headers['x-request-id'])
  })

  test('that is refused has a reason by field, and a request id only for an unexpected error', async () => {
    const { rpc } = openRpc(() => refused(422, 'VALIDATION', { details: { fields: { name: 'Too long.' } } }))
    const error = await failing(rpc, 'write', [[1], {}])
    expect(error).toMatchObject({
      code: 'VALIDATION',
      status: 422,
      requestId: null,
      fields: { name: 'Too long.' },
    })
    const { rpc: broken } = openRpc(() => refused(500, 'INTERNAL', { details: { request_id: 'r1' } }))
    expect(await failing(broken, 'write', [[1], {}])).toMatchObject({ requestId: 'r1' })
  })

  test('that needs the password is sent again once it was given, and ends as cancelled when it was not', async () => {
    for (const given of [true, false]) {
      let asked = 0
      const confirmPassword = async () => {
        asked++
        return given
      }
      const { rpc, sent } = openRpc(
        () =>
          asked === 0 || !given ? refused(403, 'ACCESS_DENIED', { details: { confirm: '/web/confirm' } }) : ok(true),
        { confirmPassword },
      )
      const outcome = await rpc.call('core.user', 'write', [[1], { email: 'a@b.c' }]).catch((error: unknown) => error)
      if (given) expect(outcome).toBe(true)
      else {
        expect(outcome).toMatchObject({ code: 'CANCELLED' })
        showError(outcome)
        expect(ToastHost().props.children).toEqual([])
      }
      expect([asked, sent.length]).toEqual([1, given ? 2 : 1])
    }
  })

  test('answered without JSON fails by its status', async () => {
    const { rpc } = openRpc(() => new Response('<h1>Bad gateway</h1>', { status: 500 }))
    expect(await failing(rpc)).toMatchObject({ code: 'INTERNAL', status: 500 })
  })
})

describe('equal reads at the same time', () => {
  test('go out once, and later ones again', async () => {
    const { rpc, sent } = openRpc(() => ok([{ id: 1 }]))
    const [first, second] = await Promise.all([rpc.call('a', 'search', [[]]), rpc.call('a', 'search', [[]])])
    expect(first).toBe(second)
    expect(sent).toHaveLength(1)
    await rpc.call('a', 'search', [[]])
    expect(sent).toHaveLength(2)
  })

  test('are not shared with one that began before a change, by this client or told by an event', async () => {
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { rpc, sent } = openRpc(({ body }) =>
      JSON.stringify(body).includes('search') ? slow.then(() => ok([])) : ok(true),
    )
    const search = () => rpc.call('a', 'search', [[]])
    rpc.expectNews()
    const reads = [search(), search()]
    expect(sent).toHaveLength(1)
    rpc.expectNews()
    reads.push(search())
    expect(sent).toHaveLength(2)
    await rpc.call('a', 'write', [[1], { x: 1 }])
    reads.push(search(), search())
    expect(sent).toHaveLength(4)
    answer()
    expect(await Promise.all(reads)).toHaveLength(5)
  })

  test('are not shared by changes', async () => {
    const { rpc, sent } = openRpc(() => ok(true))
    await Promise.all([rpc.call('a', 'write', [[1], { x: 1 }]), rpc.call('a', 'write', [[1], { x: 1 }])])
    expect(sent).toHaveLength(2)
  })

  test('are aborted only when no caller waits any more', async () => {
    let seen: AbortSignal | undefined
    const { rpc } = openRpc((request) => {
      seen = request.signal
      return new Promise((_, reject) =>
        request.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      )
    })
    const one = new AbortController()
    const two = new AbortController()
    const first = rpc.call('a', 'search', [[]], {}, { signal: one.signal }).catch((error: Error) => error.name)
    const second = rpc.call('a', 'search', [[]], {}, { signal: two.signal }).catch((error: Error) => error.name)
    await Promise.resolve()
    one.abort()
    expect(await first).toBe('AbortError')
    expect(seen?.aborted).toBe(false)
    two.abort()
    expect(await second).toBe('AbortError')
    expect(seen?.aborted).toBe(true)
  })
})

describe('reads by id', () => {
  const rowsFor = ({ body }: Sent) => ok((body.args[0] as number[]).map((id) => ({ id, name: `n${id}` })))

  test('of one moment travel together, each id once', async () => {
    const { rpc, sent } = openRpc(rowsFor)
    const [a, b] = await Promise.all([rpc.read('m', [1, 2], ['name']), rpc.read('m', [2, 3], ['name'])])
    expect(sent.map(({ body }) => body.args)).toEqual([[[1, 2, 3], ['name']]])
    expect([a.map(({ id }) => id), b.map(({ id }) => id)]).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  test('of other fields or another model do not', async () => {
    const { rpc, sent } = openRpc(rowsFor)
    await Promise.all([rpc.read('m', [1], ['name']), rpc.read('m', [1], ['code']), rpc.read('n', [1], ['name'])])
    expect(sent).toHaveLength(3)
  })

  test('of more than the server takes are split', async () => {
    const { rpc, sent } = openRpc(rowsFor)
    const rows = await rpc.read(
      'm',
      Array.from({ length: 1_500 }, (_, index) => index + 1),
      ['name'],
    )
    expect([sent.length, rows.length]).toEqual([2, 1_500])
  })

  test('do not suffer for the one id of another caller that is gone', async () => {
    const { rpc } = openRpc((request) =>
      (request.body.args[0] as number[]).includes(9) ? refused(404, 'NOT_FOUND') : rowsFor(request),
    )
    const [good, bad] = await Promise.allSettled([rpc.read('m', [1], ['name']), rpc.read('m', [9], ['name'])])
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a busy or silent server', () => {
  const after = (failures: readonly Response[], then: () => Response): Reply => {
    const left = [...failures]
    return () => left.shift() ?? then()
  }

  test('is asked again after as long as it wants', async () => {
    const { rpc, waits } = openRpc(
      after([refused(429, 'RATE_LIMITED', { headers: { 'retry-after': '3' } })], () => ok(1)),
    )
    expect(await rpc.call('a', 'create', [{}])).toBe(1)
    expect(waits).toEqual([3_000])
  })

  test('is asked less and less often, and not for ever', async () => {
    const { rpc, waits } = openRpc(() => refused(503, 'UNAVAILABLE'))
    expect(await failing(rpc)).toMatchObject({ code: 'UNAVAILABLE' })
    expect(waits).toEqual([150, 300, 600, 1_200])
    expect([waitMs(1, null, 0.999), waitMs(30, null, 1)]).toEqual([expect.closeTo(300, 0), 15_000])
  })

  test('gets the same idempotency key with every attempt of a change, and another with the next change', async () => {
    let lost = true
    const { rpc, sent } = openRpc(() => {
      if (!lost) return ok(true)
      lost = false
      throw new TypeError('network')
    })
    await rpc.call('a', 'write', [[1], {}])
    await rpc.call('a', 'write', [[1], {}])
    const keys = sent.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
    expect(new Set(sent.map(({ headers }) => headers['x-request-id'])).size).toBe(3)
  })

  test('gets the same key when the user repeats a change that was never answered', async () => {
    let isAway = true
    const { rpc, sent } = openRpc(() => {
      if (isAway) throw new TypeError('network')
      return ok(true)
    })
    const create = (name: string) => rpc.call('a', 'create', [{ name }]).catch(() => undefined)
    await create('Ann')
    isAway = false
    for (const name of ['Bob', 'Ann', 'Ann']) await create(name)
    const [first, ...others] = [...new Set(sent.map(({ headers }) => headers['idempotency-key']))]
    expect(sent.filter(({ headers }) => headers['idempotency-key'] === first)).toHaveLength(6)
    expect(others).toHaveLength(2)
  })

  test('gets another key once a change of the same record was answered, or after a minute: then it is meant anew', async () => {
    let isAway = true
    const { rpc, sent } = openRpc(() => {
      if (isAway) throw new TypeError('network')
      return ok([1])
    })
    const confirm = () =>
      rpc
        .post('order', '/act', { action: 'confirm', ids: [1] }, () => [])
        .then(
          () => sent.at(-1)!.headers['idempotency-key'],
          () => sent.at(-1)!.headers['idempotency-key'],
        )
    const lost = await confirm()
    isAway = false
    await rpc.call('order', 'write', [[2], { state: 'draft' }])
    expect(await confirm()).toBe(lost)
    isAway = true
    const again = await confirm()
    isAway = false
    await rpc.call('order', 'write', [[1], { state: 'draft' }])
    expect(await confirm()).not.toBe(again)
    isAway = true
    const last = await confirm()
    isAway = false
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
    expect(await confirm()).not.toBe(last)
    clock.mockRestore()
  })

  test('is distinguished from one that cannot be reached', async () => {
    const reachable: boolean[] = []
    const { rpc } = openRpc(() => Promise.reject(new TypeError('network')), {
      onReachable: (now) => reachable.push(now),
    })
    expect(await failing(rpc)).toMatchObject({ code: 'OFFLINE' })
    expect(reachable).toEqual([false])
  })
})

describe('a server that is away', () => {
  test('is asked for every few seconds, until it answers', async () => {
    const online = signal(true)
    const answers = [false, false, true]
    const waits: number[] = []
    let due = async () => {}
    awaitServer(online, {
      ask: async () => answers.shift()!,
      setTimer(run, ms) {
        waits.push(ms)
        due = async () => run()
        return () => {}
      },
    })
    expect(waits).toEqual([])
    online.value = false
    while (answers.length > 0) {
      await due()
      await Promise.resolve()
    }
    expect([waits, online.value]).toEqual([[1_000, 2_000, 3_000], true])
  })

  test('is not asked for any more once something else has heard of it', () => {
    const online = signal(false)
    let isStopped = false
    awaitServer(online, {
      ask: async () => true,
      setTimer: () => () => {
        isStopped = true
      },
    })
    online.value = true
    expect(isStopped).toBe(true)
  })
})

describe('the session', () => {
  test('that is over leads to the sign-in page', async () => {
    let left = 0
    const { rpc } = openRpc(() => refused(401, 'UNAUTHORIZED'), { onSignedOut: () => left++ })
    expect(await failing(rpc)).toBeInstanceOf(CallError)
    expect(left).toBe(1)
  })

  test('that was renewed in another tab is followed once', async () => {
    let renewals = 0
    const { rpc, sent } = openRpc(() => (renewals === 0 ? refused(403, 'CSRF') : ok(true)), {
      renewToken: async () => String(++renewals),
    })
    expect(await rpc.call('a', 'write', [[1], {}])).toBe(true)
    expect([renewals, sent.length]).toEqual([1, 2])
  })
})

test('changes are reported to listeners, with the changed ids', async () => {
  const { rpc } = openRpc(({ body }) => ok(body.method === 'create' ? 7 : body.method ? true : [3]))
  const told: unknown[] = []
  rpc.onChanged((model, ids) => told.push([model, ids]))
  await rpc.call('a', 'create', [{}])
  await rpc.call('a', 'write', [[1, 2], {}])
  await rpc.call('a', 'search', [[]])
  const acting = rpc.post<{ readonly result: number[] }>('b', '/act', {}, ({ result }) => result)
  expect(rpc.isChanging('b')).toBe(true)
  expect(await acting).toMatchObject({ result: [3] })
  expect(rpc.isChanging('b')).toBe(false)
  expect(told).toEqual([
    ['a', [7]],
    ['a', [1, 2]],
    ['b', [3]],
  ])
})
