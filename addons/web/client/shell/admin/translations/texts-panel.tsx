import type { WireTranslatedField } from '../../../../../../kernel/admin/wire-translations.ts'
import { t } from '../../../core/i18n.ts'
import { languageName } from '../../../fields/value/language-name.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, ErrorState } from '../../../ui/empty.tsx'
import { DelayedSkeleton, SkeletonRows } from '../../../ui/skeleton.tsx'
import { TextRow } from './text-row.tsx'
import { useUnsavedTexts } from './unsaved-texts.ts'
import { useTexts } from './use-texts.ts'

export interface TextsPanelProps {
  readonly field: WireTranslatedField
  readonly lang: string
  readonly q: string
  /** Also show translated texts. */
  readonly isAll: boolean
  readonly onSaved: () => void
}

/** The texts of one field, English beside the other language, which is edited in place. */
export function TextsPanel({ field, lang, q, isAll, onSaved }: TextsPanelProps) {
  const texts = useTexts({ field, lang, q, isAll })
  const unsaved = useUnsavedTexts()
  return (
    <section class="panel" aria-label={`${field.modelLabel}: ${field.label}`}>
      <header>
        <h2>{`${field.modelLabel}: ${field.label}`}</h2>
      </header>
      {texts.error !== null ? (
        <ErrorState error={texts.error} onRetry={texts.reload} />
      ) : texts.rows === null ? (
        <DelayedSkeleton>
          <SkeletonRows />
        </DelayedSkeleton>
      ) : texts.rows.length === 0 ? (
        <Empty
          icon="languages"
          title={q === '' ? t('Everything is translated') : t('No text fits the search')}
          text={isAll ? '' : t('“All” shows the texts that are translated, too.')}
        />
      ) : (
        <>
          <table class="tbl cards trntexts">
            <thead>
              <tr>
                <th scope="col">{languageName('en')}</th>
                <th scope="col">{languageName(lang)}</th>
              </tr>
            </thead>
            <tbody>
              {texts.rows.map((row) => (
                <TextRow key={row.id} field={field} lang={lang} row={row} unsaved={unsaved} onSaved={onSaved} />
              ))}
            </tbody>
          </table>
          {texts.hasMore && (
            <p class="trnmore">
              <Button label={t('More texts')} onClick={texts.loadMore} />
            </p>
          )}
        </>
      )}
    </section>
  )
}
