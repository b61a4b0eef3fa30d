import { type Html, html } from './html.ts'

/** Icons of pages that do not load the client, drawn on a grid of 24: from lucide (ISC), and our logo. */
const PATHS = {
  logo: '<path d="M4 18.5V7.2c0-1.5 1.8-2.2 2.8-1.1L12 12l5.2-5.9C18.2 5 20 5.7 20 7.2v11.3"/><path d="M12 12v6.5"/>',
  eye: '<path d="M2.06 12.35a1 1 0 0 1 0-.7 10.75 10.75 0 0 1 19.88 0 1 1 0 0 1 0 .7 10.75 10.75 0 0 1-19.88 0"/><circle cx="12" cy="12" r="3"/>',
  theme:
    '<path d="M12 2v2"/><path d="M14.84 16.39a6 6 0 1 1-7.22-7.22c.62-.15.97.66.71 1.24a4 4 0 0 0 5.26 5.26c.59-.25 1.4.09 1.25.72"/><path d="M16 12a4 4 0 0 0-4-4"/><path d="m19 5-1.26 1.26"/><path d="M20 12h2"/>',
  alert: '<circle cx="12" cy="12" r="10"/><path d="M12 8v4"/><path d="M12 16h.01"/>',
  check: '<circle cx="12" cy="12" r="10"/><path d="m9 12 2 2 4-4"/>',
  left: '<path d="m12 19-7-7 7-7"/><path d="M19 12H5"/>',
  right: '<path d="M5 12h14"/><path d="m12 5 7 7-7 7"/>',
  down: '<path d="m6 9 6 6 6-6"/>',
  key: '<path d="m15.5 7.5 2.3 2.3a1 1 0 0 0 1.4 0l2.1-2.1a1 1 0 0 0 0-1.4L19 4"/><path d="m21 2-9.6 9.6"/><circle cx="7.5" cy="15.5" r="5.5"/>',
  device: '<rect width="20" height="14" x="2" y="3" rx="2"/><path d="M8 21h8"/><path d="M12 17v4"/>',
} as const

export type IconName = keyof typeof PATHS

export const icon = (name: IconName): Html =>
  // The paths are constants from this file, so they need no escaping.
  html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">${{ markup: PATHS[name] }}</svg>`
