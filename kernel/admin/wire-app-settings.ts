/** What the page with the settings of the apps gets. Types only, so that the client may import them. */

export interface WireAppSetting {
  readonly name: string
  readonly type: 'integer' | 'text'
  readonly label: string
  readonly help: string
  readonly unit: string | null
  /** The stored value as entered; empty: none, so the default is used. */
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
  /** The company of the values; null: those for all companies. */
  readonly company: number | null
  /** With a company only settings of which each may have its own. */
  readonly apps: readonly WireSettingsOfApp[]
  /** The companies that can have their own settings. */
  readonly companies: readonly { readonly id: number; readonly name: string }[]
}
