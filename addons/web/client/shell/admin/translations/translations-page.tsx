import { useRef } from 'preact/hooks'
import type { WireTranslatedField, WireTranslations } from '../../../../../../kernel/admin/wire-translations.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { languageName } from '../../../fields/value/language-name.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { Pick } from '../access/pick.tsx'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { TextsPanel } from './texts-panel.tsx'
import '../admin.css'
import './translations.css'

/** The shown texts, as in the address. */
interface TranslationsPlace {
  readonly lang?: string | undefined
  /** `core.country/name` */
  readonly text?: string | undefined
  readonly q?: string | undefined
  /** `1`: also show translated texts. */
  readonly all?: string | undefined
}

const keyOf = ({ model, field }: WireTranslatedField): string => `${model}/${field}`
const missingIn = ({ total, translated }: WireTranslatedField): number => total - translated

/** Texts of records in another language: which there are, how many are missing, and each beside its English text. */
export function Page({ route }: { readonly route: Route }) {
  const place: TranslationsPlace = route.state
  const { lang, text, q = '', all } = place
  const asked = useAsked<WireTranslations>(
    `/web/settings/translations${lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`}`,
  )
  const { router } = services()
  const go = async (to: TranslationsPlace) => {
    if (!(await router.guards.mayLeave())) return
    await router.go(changeRoute(route, {}, { ...place, ...to }), { replace: true, isSibling: true })
  }
  /** The open section stays open when its last text is translated. */
  const last = useRef(text)
  const found = asked.value
  if (found === null) return <LoadState asked={asked} />
  const open =
    found.fields.find((field) => keyOf(field) === (text ?? last.current)) ??
    found.fields.find((field) => missingIn(field) > 0) ??
    found.fields[0]
  if (!open) return <Empty icon="languages" title={t('No record has texts in several languages')} />
  last.current = keyOf(open)
  return (
    <div class="view">
      <div class="ctlbar">
        <SearchBox
          label={t('Search in texts')}
          group={t('Translations')}
          text={q}
          onInput={(typed) => go({ q: typed || undefined })}
        />
        <span class="seg" role="group" aria-label={t('Which texts')}>
          {([undefined, '1'] as const).map((each) => (
            <button key={each ?? ''} type="button" aria-pressed={all === each} onClick={() => go({ all: each })}>
              {each === undefined ? t('Not translated') : t('All')}
            </button>
          ))}
        </span>
        <span class="end">
          <Pick
            label={t('Language')}
            value={found.lang}
            options={found.languages.map((each) => [each, languageName(each)])}
            onChoose={(chosen) => go({ lang: chosen })}
          />
        </span>
      </div>
      <div class="scroll" data-scroll="translations">
        <div class="adminpage trn">
          <nav class="panel" aria-label={t('Texts')}>
            <ul class="trnfields">
              {found.fields.map((field) => (
                <li key={keyOf(field)}>
                  <FieldLink field={field} isOpen={field === open} onOpen={() => go({ text: keyOf(field) })} />
                </li>
              ))}
            </ul>
          </nav>
          <TextsPanel
            key={`${keyOf(open)} ${found.lang} ${q} ${all ?? ''}`}
            field={open}
            lang={found.lang}
            q={q}
            isAll={all === '1'}
            onSaved={asked.reload}
          />
        </div>
      </div>
    </div>
  )
}

interface FieldLinkProps {
  readonly field: WireTranslatedField
  readonly isOpen: boolean
  readonly onOpen: () => void
}

const FieldLink = ({ field, isOpen, onOpen }: FieldLinkProps) => (
  <button type="button" class="trnfield" aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
    <span class="two">
      <span class="cut med">{field.modelLabel}</span>
      <span class="cut fs12 t2">{field.label}</span>
    </span>
    {missingIn(field) === 0 ? (
      <span class="state success fs12">
        <Icon name="circle-check" size="s" />
        {t('Complete')}
      </span>
    ) : (
      <span class="num t2">
        {t('{translated} of {total}', {
          translated: formatInteger(field.translated),
          total: formatInteger(field.total),
        })}
      </span>
    )}
  </button>
)
