/**
 * Request ids of what the service does by itself, in its log and its audit trail. A caller who sends one of them gets an id of the
 * service instead, so that a line with one of these is the service's. They are for readers: nothing decides by a request id.
 */
export const OWN_REQUEST = {
  bus: 'bus',
  command: 'command',
  cron: 'cron',
  mail: 'mail',
  modules: 'modules',
  process: 'process',
} as const
