import { currentLocale } from '../../core/format.ts'

/** `de` as `German`, in the language of the reader; what is no language stays as it is. */
export function languageName(tag: string): string {
  if (tag === '') return ''
  try {
    return new Intl.DisplayNames([currentLocale().tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
