import { services } from '../../services.ts'

/** From what is seen now to the other. */
export function toggleTheme(): void {
  const { theme } = services().appearance
  const isDark =
    theme.peek() === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.peek() === 'dark'
  theme.value = isDark ? 'light' : 'dark'
}
