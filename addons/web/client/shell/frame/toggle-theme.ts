import { services } from '../../services.ts'

/** Switches between light and dark, starting from the theme that is visible if it follows the system. */
export function toggleTheme(): void {
  const { theme } = services().appearance
  const isDark =
    theme.peek() === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.peek() === 'dark'
  theme.value = isDark ? 'light' : 'dark'
}
