import { csrfTokenFor } from '../auth/csrf.ts'
import { consumeFlash } from '../auth/flash.ts'
import type { Caller } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import type { Answer } from '../http/respond.ts'
import { type Html, html, scriptJson } from '../page/html.ts'
import { note, page, translatorFor } from '../page/layout.ts'
import type { Exchange } from '../serve/route.ts'
import type { ClientAssets } from '../services.ts'
import type { WireBootstrap } from '../view/wire.ts'
import { bootstrapOf } from './bootstrap.ts'
import { pictureStyle } from './user-pictures.ts'

export interface ShellContext extends Exchange {
  readonly caller: Caller
  readonly env: Env
}

export interface ShellOptions {
  readonly title: string
  /** Parameters of the workspace the page opens; null for a page of another kind. */
  readonly query: Readonly<Record<string, string>> | null
  /** Kind of view that the client renders first. */
  readonly viewType?: string
  readonly extras?: Pick<WireBootstrap, 'modules' | 'settings'>
}

/**
 * The HTML page of the client with its files and initial data. It preloads the code of the view and its records, so that the
 * client waits for neither.
 */
export async function shellPage(context: ShellContext, options: ShellOptions): Promise<Answer> {
  const { env, services, request, caller } = context
  const { credential } = caller
  const start = await bootstrapOf(env, { csrfToken: csrfTokenFor(caller, services), query: options.query })
  const pictures = await pictureStyle(env)
  // Consumed last: if a later step failed, the secret would be lost.
  const { flash, cookies } =
    credential.kind === 'session' ? await consumeFlash(services, request, credential) : { flash: null, cookies: [] }
  const toasts = flash === null ? [] : [{ level: 'success' as const, ...flash }]
  const bootstrap: WireBootstrap = { ...start, toasts, ...options.extras }
  const assets = services.clientAssets
  const entries = assets === undefined ? [] : [assets.scripts[0]!, ...addonEntries(env, assets)]
  return page(context, {
    title: options.title,
    body: assets === undefined ? missingClient(context) : html`<div id="app"></div>`,
    cookies,
    images: tileOrigin(services.mapTilesUrl),
    first: (nonce) => html`<script nonce="${nonce}">window.__WC_BOOTSTRAP__=${scriptJson(bootstrap)}</script>
${assets && early(assets, options, request.url, nonce)}`,
    head: pictures,
    ...(assets && { assets: { styles: assets.styles, scripts: entries } }),
  })
}

const addonEntries = (env: Env, assets: ClientAssets): readonly string[] =>
  env.registry.addons.flatMap((name) => assets.addon(name) ?? [])

function early(assets: ClientAssets, { query, viewType }: ShellOptions, url: string, nonce: string): Html {
  const modules = [...assets.scripts.slice(1), ...(viewType === undefined ? [] : assets.chunk(viewType))]
  return html`<script nonce="${nonce}">${{ markup: assets.inline }}</script>
<script type="importmap" nonce="${nonce}">${scriptJson({ imports: assets.imports })}</script>
<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets.font}">
${modules.map((href) => html`<link rel="modulepreload" nonce="${nonce}" href="${href}">`)}
${query && html`<link rel="preload" as="fetch" crossorigin href="/web/wc/workspace${new URL(url).search}">`}`
}

function missingClient(context: ShellContext): Html {
  const t = translatorFor(context)
  return html`<main id="app">${note('info', t('The web client is not built. Build it with npm run build, then start again.'))}
<p><a href="/web/logout">${t('Sign out')}</a></p></main>`
}

function tileOrigin(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).origin
}
