import { capsOf } from '../core/hotkeys.ts'

/** The keys of a shortcut. Hidden from screen readers, which read `aria-keyshortcuts`. */
export const Kbd = ({ keys }: { readonly keys: string }) => (
  <span class="kbds" aria-hidden="true">
    {capsOf(keys).map((cap, index) => (
      <kbd class="kbd" key={index}>
        {cap}
      </kbd>
    ))}
  </span>
)
