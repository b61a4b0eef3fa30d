import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundledAddons } from '../../../addons/index.ts'
import { titleOf } from '../../../kernel/module/addon.ts'
import { namePath } from '../../node/file/file-error.ts'
import { makeFolder } from '../../node/file/make-folder.ts'
import { ADDON_FILES, type Blanks, fillIn, PROJECT_FILES } from '../../scaffold/files.ts'
import { type CliCommand, UsageError } from '../command.ts'

const NAME = /^[a-z][a-z0-9_]{0,40}$/

export const newCommand: CliCommand = {
  name: 'new',
  summary: 'Write a new addon with a model, views, access rights and a test that passes',
  names: { label: '<addon>', least: 1, most: 1 },
  options: { in: { type: 'text', value: 'folder', help: 'folder of the addons; default addons' } },
  async run({ names, text, config }) {
    const module = names[0]!.replaceAll('-', '_')
    if (!NAME.test(module))
      throw new UsageError(`${names[0]} is no name for an addon: write it like fleet or my-addon.`)
    const folder = text('in') ?? 'addons'
    if (existsSync(join(folder, 'base/addon.ts')))
      throw new UsageError(`${folder} has the addons of the program itself. Choose another folder with --in.`)
    const home = join(folder, module)
    const taken = [home, ...config.addons_path.map((path) => join(path, module))].find(existsSync)
    if (taken !== undefined) throw new UsageError(`${taken} exists already.`)
    if (bundledAddons.some(({ name }) => name === module))
      throw new UsageError(`${module} is an addon of the program itself. Choose another name.`)
    const title = titleOf(module)
    const blanks: Blanks = { module, title, type: title.replaceAll(' ', ''), folder }
    const missing = Object.entries(PROJECT_FILES).filter(([path]) => !existsSync(path))
    const files = [
      ...Object.entries(ADDON_FILES).map(([path, content]) => [join(home, path), content] as const),
      ...missing,
    ]
    for (const [path, content] of files) await writeNew(path, fillIn(content, blanks))
    const written = files.map(([path]) => path)
    const isFound = config.addons_path.includes(folder) || written.includes('svc.ini')
    const setting = isFound
      ? ''
      : `\nAdd the folder to addons_path in svc.ini: addons_path = ${[...config.addons_path, folder].join(', ')}\n`
    const next = `Check its types (npm install typescript), test it, install it, and start the service again:\n  npx tsc\n  node --test ${home}/test/item.test.mjs\n  npx modulus module install ${module}\n  npx modulus\nAfter a change of its views or data files: npx modulus module update ${module}`
    return {
      json: { module, written },
      text: `Written:\n${written.map((path) => `  ${path}`).join('\n')}\n${setting}\n${next}`,
    }
  },
}

async function writeNew(path: string, content: string): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, content, { flag: 'wx' }).catch(namePath(path))
}
