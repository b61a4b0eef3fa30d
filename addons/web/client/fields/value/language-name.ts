import { currentLocale } from '../../core/format.ts'

/** `de` as `German`, in the user's language; an unknown code is returned as it is. */
export function languageName(tag: string): string {
  if (tag === '') return ''
  try {
    return new Intl.DisplayNames([currentLocale().tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
