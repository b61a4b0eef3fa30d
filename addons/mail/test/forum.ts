import { behavior, defineAddon, defineModel, type Env, type FieldsOf, field } from '#kernel'
import { issueCsrfToken } from '../../../kernel/auth/csrf.ts'
import { findPrincipal } from '../../../kernel/auth/principal.ts'
import { createSession } from '../../../kernel/auth/session.ts'
import { installModules } from '../../../kernel/module/install.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { inTransaction } from '../../../kernel/work/transaction.ts'
import { serveAll } from '../../../runtime/app.ts'
import { Agent } from '../../../test/support/agent.ts'
import { createDatabase, type TestDatabase, template } from '../../../test/support/database.ts'
import { openModules, type TestModules } from '../../../test/support/modules.ts'
import base from '../../base/addon.ts'
import mail from '../addon.ts'

/** Tracks a field of every type that can be tracked. */
const forumTopic = defineModel('forum.topic', {
  label: 'Topic',
  fields: {
    name: field.char({ required: true, tracking: true }),
    state: field.selection({ open: 'Open', closed: 'Closed' }, { default: 'open', tracking: true }),
    owner_id: field.many2one('core.user', { tracking: true }),
    partner_id: field.many2one('core.partner', { tracking: true, checkCompany: false }),
    tag_ids: field.many2many('core.tag', { tracking: true }),
    budget: field.float({ tracking: true, groups: 'forum.group_lead' }),
    due: field.datetime({ tracking: true }),
    prize: field.monetary({ tracking: true }),
    currency_id: field.many2one('core.currency'),
    points: field.integer(),
    score: field.integer({ compute: 'stored', tracking: true }),
    post_ids: field.one2many('forum.post', 'topic_id'),
    company_id: field.many2one('core.company'),
  },
})

const forumTopicBehavior = behavior('forum.topic', {
  computes: {
    score: { needs: ['points'], run: (_env, rows) => new Map(rows.map((row) => [row.id, (row.points ?? 0) * 10])) },
  },
})

/** Deleted with its topic, and its messages with it. */
const forumPost = defineModel('forum.post', {
  label: 'Post',
  chatter: true,
  fields: { name: field.char(), topic_id: field.many2one('forum.topic', { required: true, ondelete: 'cascade' }) },
})

/** Any user who may read it may post messages on it. */
const forumPoll = defineModel('forum.poll', {
  label: 'Poll',
  chatterOnRead: true,
  fields: { name: field.char() },
})

/** Has no chatter. */
const forumBan = defineModel('forum.ban', { label: 'Ban', fields: { name: field.char() } })

declare module '#kernel' {
  interface Models {
    'forum.topic': ForumTopic
    'forum.post': ForumPost
    'forum.poll': ForumPoll
    'forum.ban': ForumBan
  }
  interface ForumTopic extends FieldsOf<typeof forumTopic> {}
  interface ForumPost extends FieldsOf<typeof forumPost> {}
  interface ForumPoll extends FieldsOf<typeof forumPoll> {}
  interface ForumBan extends FieldsOf<typeof forumBan> {}
}

const GROUPS = 'id,name,category\ngroup_lead,Lead,Forum\ngroup_writer,Writer,Forum\ngroup_reader,Reader,Forum\n'
const ACCESS = `id,model,group,read,write,create,unlink
topic_writer,forum.topic,group_writer,1,1,1,1
topic_reader,forum.topic,group_reader,1,0,0,0
post_writer,forum.post,group_writer,1,1,1,1
poll_writer,forum.poll,group_writer,1,1,1,1
poll_reader,forum.poll,group_reader,1,0,0,0
ban_writer,forum.ban,group_writer,1,1,1,1
`
const RULES = `<data>
  <rule id="rule_company" name="Own companies" model="forum.topic">["|", ["company_id", "=", null], ["company_id", "in", company_ids]]</rule>
  <rule id="rule_open" name="Closed topics stay as they are" model="forum.topic" groups="group_writer" read="0" create="0" unlink="0">[["name", "!=", "Sealed"]]</rule>
</data>`

const DEMO = `<data>
  <record id="topic_demo" model="forum.topic"><field name="name">Demo</field></record>
  <record id="message_demo" model="mail.message">
    <field name="model">forum.topic</field>
    <field name="res_id" eval='{"ref": "topic_demo"}'/>
    <field name="kind">comment</field>
    <field name="author_id" ref="base.user_demo"/>
    <field name="date">-3d 10:15</field>
    <field name="body">Asked for a quotation.</field>
  </record>
</data>`

const forum = defineAddon({
  name: 'forum',
  version: '1.0',
  summary: 'For the tests of the chatter',
  depends: ['mail'],
  models: [forumTopic, forumPost, forumPoll, forumBan],
  behaviors: [forumTopicBehavior],
  data: [
    { name: 'core.group.csv', text: GROUPS },
    { name: 'access.csv', text: ACCESS },
    { name: 'rules.xml', text: RULES },
  ],
  demo: [{ name: 'demo.xml', text: DEMO }],
})

const ADDONS = [base, mail, forum]

/** By login: groups, and whether they work in the other company. */
const MEMBERS = {
  lead: ['base.group_user', 'forum.group_writer', 'forum.group_lead'],
  writer: ['base.group_user', 'forum.group_writer'],
  reader: ['base.group_user', 'forum.group_reader'],
  /** Writes in the other company. */
  outsider: ['base.group_user', 'forum.group_writer'],
  /** Has no rights in the forum. */
  passer: ['base.group_user'],
  admin: ['base.group_system'],
  /** Administers the service and writes in the forum. */
  chief: ['base.group_system', 'forum.group_writer'],
} as const

export type Member = keyof typeof MEMBERS

const forumTemplate = template('mail_forum', async ({ db }) => {
  const { services, catalogue, holder, asSystem } = openModules(db, ADDONS)
  await installModules(services, catalogue, ['forum'], { demo: true })
  const { access } = await holder.latest()
  await asSystem(async (env) => {
    const [main] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 })
    const other = await env.model('core.company').create({ name: 'Other', currency_id: main!.currency_id[0] })
    for (const [login, groups] of Object.entries(MEMBERS)) {
      const company_id = login === 'outsider' ? other : main!.id
      const group_ids = groups.map((group) => access.groupIdByXmlid.get(group)!)
      await env
        .model('core.user')
        .create({ login, name: `Member ${login}`, group_ids, company_id, company_ids: [company_id] })
    }
  })
})

export interface Forum {
  readonly database: TestDatabase
  readonly modules: TestModules
  readonly members: Readonly<Record<Member, number>>
  /** Acts with the rights of a member, in a transaction of its own. */
  as<T>(login: Member, work: (env: Env) => Promise<T>): Promise<T>
  /** The browser of a member. */
  signIn(login: Member): Promise<Agent>
  /** Events of a channel so far. */
  events(channel: string): Promise<readonly ForumEvent[]>
}

export interface ForumEvent {
  readonly payload: Readonly<Record<string, unknown>>
  readonly user_id: number | null
  readonly company_id: number | null
  readonly before: Readonly<Record<string, unknown>> | null
}

const ORIGIN = 'http://forum.test'

/** A database with base, mail and the forum, its members and the app that serves them. */
export async function openForum(): Promise<Forum> {
  const database = await createDatabase(forumTemplate)
  const modules = openModules(database.db, ADDONS)
  const { services, holder, asSystem } = modules
  const app = serveAll(services, mail.routes)
  const users = await asSystem((env) => env.model('core.user').searchRead([], ['login']))
  const members = Object.fromEntries(users.map((user) => [user.login, user.id])) as Record<Member, number>
  return {
    database,
    modules,
    members,
    async as(login, work) {
      const state = await holder.latest()
      const user = await asSystem((env) => findPrincipal(env, members[login]))
      return inTransaction({ services, state, user: user!, requestId: 'test', now: new Date() }, 'write', work)
    },
    async signIn(login) {
      const session = await createSession(services, database.db, { userId: members[login], ip: null, userAgent: null })
      const agent = new Agent((path, init) => app.fetch(new Request(ORIGIN + path, init), '127.0.0.1'), {
        'x-csrf-token': issueCsrfToken(session.csrfSecret, services.random),
      })
      agent.cookies.set('svc_session', session.token)
      return agent
    },
    async events(channel) {
      const { rows } = await sql<ForumEvent>`
        select payload, user_id, company_id, before from sys_outbox where channel = ${channel} order by id`.execute(
        database.db,
      )
      return rows
    },
  }
}
