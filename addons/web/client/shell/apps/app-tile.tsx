import { appHue, appIcon } from '../../router/menus.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'

/** Icon of an application in its colour. */
export const AppTile = ({ module, isLarge = false }: { readonly module: string; readonly isLarge?: boolean }) => (
  <span class={classNames('tile', isLarge && 'l')} data-app={appHue(module)}>
    <Icon name={appIcon(module)} />
  </span>
)
