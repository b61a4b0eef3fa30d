import { redirect } from '../kernel/http/respond.ts'
import { isInitialised } from '../kernel/module/initialise.ts'
import { route } from '../kernel/serve/route.ts'

/** GET /: where a visitor starts: the set-up of a new database, else the home page. */
export const get = route({
  method: 'GET',
  path: '/',
  auth: 'none',
  tx: 'none',
  handle: async ({ services }) => redirect((await isInitialised(services.db)) ? '/web/home' : '/setup'),
})
