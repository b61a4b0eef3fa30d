import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { PIXEL, pngOf } from '../support/pixel.ts'

describeHost('a picture', 'process', (host) => {
  let admin: Agent
  let id: number
  beforeAll(async () => {
    admin = await host.signIn('admin')
    id = await admin.must<number>('core.partner', 'create', [{ name: 'Ines' }])
  })
  const draw = (image: string) => admin.rpc('core.partner', 'write', [[id], { image }])
  const refused = (sentence: string) => ({
    error: { code: 'VALIDATION', details: { fields: { image: expect.stringContaining(sentence) } } },
  })

  test.each(Object.entries(PIXEL))('is a %s', async (_kind, image) => {
    expect(await draw(image)).toMatchObject({ ok: true })
  })

  const bytesOf = (kind: keyof typeof PIXEL) => Buffer.from(PIXEL[kind], 'base64')
  const png = bytesOf('png')
  const undrawn = Buffer.concat([png.subarray(0, 33), png.subarray(-12)])
  test.each([
    ['only the beginning of a PNG', png.subarray(0, 8)],
    ['a PNG without what it draws', undrawn],
    ['a PNG without its end', png.subarray(0, -12)],
    ['a PNG whose header is another part', Buffer.from(png.toString('latin1').replace('IHDR', 'iCCP'), 'latin1')],
    ['only the beginning of a JPEG', bytesOf('jpeg').subarray(0, 3)],
    ['a JPEG without what it draws', bytesOf('jpeg').subarray(0, 39)],
    ['a script behind the name of a GIF', Buffer.from('GIF89a<script>alert(1)</script>')],
    ['a GIF without a frame', Buffer.concat([bytesOf('gif').subarray(0, 19), Buffer.from(';')])],
    ['only the beginning of a WebP', bytesOf('webp').subarray(0, 12)],
    ['a WebP that ends too early', bytesOf('webp').subarray(0, -2)],
    ['another file in the same container', Buffer.from('RIFF\x10\0\0\0WAVEfmt \x04\0\0\0abcd', 'latin1')],
    ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('is not %s', async (_what, bytes) => {
    expect(await draw(bytes.toString('base64'))).toMatchObject(refused('PNG, JPEG, GIF or WebP'))
  })

  test(`has at most picturePixels: ${LIMITS.picturePixels}`, async () => {
    for (const [width, height] of [
      [24_000, 24_000],
      [60_000, 60_000],
      [LIMITS.picturePixels + 1, 1],
    ] as const)
      expect(await draw(pngOf(width, height))).toMatchObject(refused('at most 25 million pixels'))
    expect(await draw(pngOf(5_000, 5_000))).toMatchObject({ ok: true })
    const gif = bytesOf('gif')
    gif.writeUInt16LE(60_000, gif.indexOf(0x2c, 19) + 5)
    gif.writeUInt16LE(60_000, 8)
    expect(await draw(gif.toString('base64'))).toMatchObject(refused('pixels'))
  })

  test('of a company has something to draw, too', async () => {
    const [company] = await admin.must<{ id: number }[]>('core.company', 'search', [[]], { limit: 1 })
    const logo = (bytes: Buffer) =>
      admin.rpc('core.company', 'write', [[company!.id], { logo: bytes.toString('base64') }])
    expect(await logo(undrawn)).toMatchObject({ error: { code: 'VALIDATION' } })
    expect(await logo(png)).toMatchObject({ ok: true })
  })
})
