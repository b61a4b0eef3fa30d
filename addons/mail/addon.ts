import { defineAddon } from '#kernel'
import { observeChatter } from './chatter/observe.ts'
import { german } from './i18n/de.ts'
import { mailMessage } from './models/mail-message.ts'
import { reasons } from './reasons.ts'
import { chatterPost } from './routes/chatter-post.ts'
import { chatterRead } from './routes/chatter-read.ts'
import access from './security/access.csv'
import actions from './views/actions.xml'
import messageList from './views/mail-message-list.xml'
import messageSearch from './views/mail-message-search.xml'

export default defineAddon({
  name: 'mail',
  version: '1.0',
  summary: 'Messages on records, and the history of their fields',
  depends: ['base'],
  models: [mailMessage],
  observers: [observeChatter],
  routes: [chatterRead, chatterPost],
  data: [
    { name: 'security/access.csv', text: access },
    { name: 'views/mail-message-list.xml', text: messageList },
    { name: 'views/mail-message-search.xml', text: messageSearch },
    { name: 'views/actions.xml', text: actions },
  ],
  translations: { de: german },
  reasons,
})
