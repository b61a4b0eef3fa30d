import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../../kernel/env.ts'
import { pruneArch } from '../../../kernel/view/prune.ts'
import { type Forum, openForum } from './forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await openForum()
})
afterAll(() => forum.database.drop())

const element = (tag: string) => ({ tag, attrs: {}, children: [], addon: 'forum' })
const tagsIn = (env: Env, model: string) =>
  pruneArch(env, model, { ...element('form'), children: [element('sheet'), element('chatter')] }).children.map(
    (child) => (typeof child === 'string' ? child : child.tag),
  )

test('a form shows the chatter where its model has one and the addon is installed', async () => {
  await forum.as('writer', async (env) => {
    expect(tagsIn(env, 'forum.topic')).toEqual(['sheet', 'chatter'])
    expect(tagsIn(env, 'forum.ban')).toEqual(['sheet'])
    const without: Env = { ...env, registry: { ...env.registry, addons: ['base', 'forum'] } }
    expect(tagsIn(without, 'forum.topic')).toEqual(['sheet'])
  })
})
