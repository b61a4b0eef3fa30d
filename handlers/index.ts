import type { Route } from '../kernel/http/route.ts'
import * as explain from './api/explain.ts'
import * as health from './api/health.ts'
import * as openapi from './api/openapi.ts'
import * as ready from './api/ready.ts'
import * as rpc from './api/rpc.ts'

/** Every route of the kernel, in the order of the interface specification; those it does not know come last. */
export const routes: readonly Route[] = [health.get, rpc.post, ready.get, openapi.get, explain.get]
