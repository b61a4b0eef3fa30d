/** The package `modulus`: the service for hosts with their own listener. */

export { routes } from '../handlers/index.ts'
export type { Route } from '../kernel/serve/route.ts'
export type { Services } from '../kernel/services.ts'
export { type AddressOf, type Fetch, serve } from './app.ts'
export type { ConfigKey, Settings } from './config.ts'
export {
  type AppOptions,
  createApp,
  type EmbeddedApp,
  type OpenServices,
  openServices,
  type ServicesOptions,
} from './node/embed.ts'
export { openTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
