/**
 * Request ids of the service's own work, in its log and its audit trail. A caller who sends one of them gets a generated id instead, so
 * that lines with these ids are always the service's own. They are for readers only: no code depends on a request id.
 */
export const OWN_REQUEST = {
  bus: 'bus',
  command: 'command',
  cron: 'cron',
  mail: 'mail',
  modules: 'modules',
  process: 'process',
} as const
