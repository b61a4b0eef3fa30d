/** What the page with the settings of the apps gets. Types only, so that the client may import them. */

export interface WireAppSetting {
  readonly name: string
  readonly type: 'integer' | 'text'
  readonly label: string
  readonly help: string
  readonly unit: string | null
  /** The value that was set, as it is typed; empty: none, so that the default holds. */
  readonly text: string
  readonly default: string
}

export interface WireSettingsOfApp {
  readonly addon: string
  readonly title: string
  readonly settings: readonly WireAppSetting[]
}

/** The answer of `GET /web/settings/app`. */
export interface WireAppSettings {
  /** Whose values these are; null: those of all companies. */
  readonly company: number | null
  /** With a company only settings of which each may have its own. */
  readonly apps: readonly WireSettingsOfApp[]
  /** The companies that the settings can be of. */
  readonly companies: readonly { readonly id: number; readonly name: string }[]
}
