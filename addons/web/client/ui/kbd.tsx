import { capsOf } from '../core/hotkeys.ts'

/** Key caps beside the command they run; hidden from assistive technology, which reads `aria-keyshortcuts`. */
export const Kbd = ({ keys }: { readonly keys: string }) => (
  <span class="kbds" aria-hidden="true">
    {capsOf(keys).map((cap) => (
      <kbd class="kbd" key={cap}>
        {cap}
      </kbd>
    ))}
  </span>
)
