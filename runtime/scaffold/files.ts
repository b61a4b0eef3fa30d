import addon from './addon.ts.txt'
import model from './models/item.ts.txt'
import access from './security/access.csv.txt'
import test from './test/item.test.mjs.txt'
import tsconfig from './tsconfig.json.txt'
import views from './views/item.xml.txt'

/** The names to fill into the texts of a new addon. */
export interface Blanks {
  /** `my_addon` */
  readonly module: string
  /** `My Addon` */
  readonly title: string
  /** `MyAddon` */
  readonly type: string
  /** The folder that has the addons. */
  readonly folder: string
}

/** Files of a new addon, by their path in its folder. */
export const ADDON_FILES: Readonly<Record<string, string>> = {
  'addon.ts': addon,
  'models/item.ts': model,
  'views/item.xml': views,
  'security/access.csv': access,
  'test/item.test.mjs': test,
}

/** Files of the surrounding project, which are written if they are missing. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'svc.ini': 'addons_path = {{folder}}\n',
  'tsconfig.json': tsconfig,
}

export const fillIn = (text: string, blanks: Blanks): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof Blanks) => blanks[name])
