import { t } from '../../../core/i18n.ts'
import type { IconName } from '../../../ui/icon-names.ts'
import { MenuButton } from '../../../ui/menu.tsx'

interface ChoiceMenuProps<K extends string> {
  /** English labels by key. */
  readonly choices: Readonly<Record<K, string>>
  readonly active: K
  readonly icon: IconName
  /** Name of the button, which then shows its icon only; by default it says the active choice. */
  readonly label?: string
  readonly onChoose: (key: K) => void
}

/** A button with a menu of which one entry is active. */
export function ChoiceMenu<K extends string>({ choices, active, icon, label, onChoose }: ChoiceMenuProps<K>) {
  // The keys of an object are strings to the type checker, though these can be no others.
  const keys = Object.keys(choices) as K[]
  return (
    <MenuButton
      label={label ?? t(choices[active])}
      icon={icon}
      iconOnly={label !== undefined}
      kind="ghost"
      size="sm"
      align="end"
      items={() => keys.map((key) => ({ label: t(choices[key]), isChosen: key === active, run: () => onChoose(key) }))}
    />
  )
}
