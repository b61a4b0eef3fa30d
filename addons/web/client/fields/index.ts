import { deferred, deferredComponent } from '../core/deferred.tsx'
import { type FieldEntry, fields, formatters } from '../core/registries.ts'
import {
  BadgeDisplay,
  ChoiceDisplay,
  FavouriteDisplay,
  HandleDisplay,
  StarsDisplay,
  TickDisplay,
} from './display/choice.tsx'
import { DateDisplay, DatetimeDisplay } from './display/date.tsx'
import { AvatarDisplay, LinkDisplay, TagsDisplay } from './display/link.tsx'
import {
  ColorDisplay,
  FloatDisplay,
  HoursDisplay,
  IntegerDisplay,
  MoneyDisplay,
  PercentDisplay,
  ProgressDisplay,
  StatInfo,
} from './display/number.tsx'
import {
  CodeDisplay,
  EmailDisplay,
  LanguageDisplay,
  LinesDisplay,
  PhoneDisplay,
  SecretDisplay,
  TextDisplay,
  UrlDisplay,
} from './display/text.tsx'
import { editable, editors, PendingField } from './editing.tsx'
import { HtmlField } from './html.tsx'
import { FORMATS } from './value/format-value.ts'

const isNoList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0
const never = (): boolean => false

const binary = deferred(() => import('./edit/binary.tsx'))
const source = deferred(() => import('./edit/source.tsx'))
const reference = deferred(() => import('./edit/reference.tsx'))
const lines = deferred(() => import('./lines/lines.tsx'))

const BinaryField = deferredComponent(binary, ({ BinaryField }) => BinaryField, PendingField)
const ImageField = deferredComponent(binary, ({ ImageField }) => ImageField, PendingField)
const JsonField = deferredComponent(source, ({ JsonField }) => JsonField, PendingField)
const DomainField = deferredComponent(source, ({ DomainField }) => DomainField, PendingField)
const ReferenceField = deferredComponent(reference, ({ ReferenceField }) => ReferenceField, PendingField)
const StatusbarField = deferredComponent(editors, ({ EDITORS }) => EDITORS.statusbar, PendingField)
const LinesField = deferredComponent(lines, ({ LinesField }) => LinesField, PendingField)

const TagsField = editable('tags', TagsDisplay)
const ProgressField = editable('progress', ProgressDisplay)

/** Widgets by field type, then by the name a view gives in `widget`, formatted by `FORMATS` of the same name unless said otherwise. What displays is bundled here; controls and large widgets are chunks of their own. */
const WIDGETS: Readonly<Record<string, FieldEntry>> = {
  char: { Widget: editable('char', TextDisplay) },
  text: { Widget: editable('text', LinesDisplay) },
  html: { Widget: HtmlField },
  integer: { Widget: editable('integer', IntegerDisplay), numeric: true },
  float: { Widget: editable('float', FloatDisplay), numeric: true },
  monetary: { Widget: editable('money', MoneyDisplay), numeric: true },
  boolean: { Widget: editable('check', TickDisplay), isEmpty: never },
  date: { Widget: editable('date', DateDisplay) },
  datetime: { Widget: editable('datetime', DatetimeDisplay) },
  selection: { Widget: editable('select', ChoiceDisplay) },
  many2one: { Widget: editable('link', LinkDisplay) },
  one2many: { Widget: LinesField, isEmpty: isNoList },
  many2many: { Widget: LinesField, isEmpty: isNoList },
  binary: { Widget: BinaryField },
  image: { Widget: ImageField },
  json: { Widget: JsonField },
  reference: { Widget: ReferenceField },

  avatar: { Widget: editable('people', AvatarDisplay) },
  badge: { Widget: editable('badge', BadgeDisplay) },
  checkboxes: { Widget: editable('checkboxes', TagsDisplay), isEmpty: isNoList },
  code: { Widget: editable('code', CodeDisplay), format: FORMATS.text },
  color: { Widget: editable('color', ColorDisplay) },
  domain: { Widget: DomainField, format: FORMATS.text },
  email: { Widget: editable('email', EmailDisplay), format: FORMATS.char },
  favourite: { Widget: editable('favourite', FavouriteDisplay), format: FORMATS.boolean, isEmpty: never },
  handle: { Widget: HandleDisplay },
  hours: { Widget: editable('hours', HoursDisplay), numeric: true },
  language: { Widget: editable('language', LanguageDisplay) },
  password: { Widget: editable('password', SecretDisplay) },
  percent: { Widget: editable('percent', PercentDisplay), numeric: true },
  phone: { Widget: editable('phone', PhoneDisplay), format: FORMATS.char },
  priority: { Widget: editable('stars', StarsDisplay), format: FORMATS.selection },
  progress: { Widget: ProgressField },
  progressbar: { Widget: ProgressField, format: FORMATS.progress },
  radio: { Widget: editable('radio', ChoiceDisplay), format: FORMATS.selection },
  statinfo: { Widget: StatInfo },
  statusbar: { Widget: BadgeDisplay },
  'form.statusbar': { Widget: StatusbarField },
  tags: { Widget: TagsField, isEmpty: isNoList },
  'list.many2many': { Widget: TagsField, isEmpty: isNoList },
  'kanban.many2many': { Widget: TagsField, isEmpty: isNoList },
  timezone: { Widget: editable('timezone', TextDisplay), format: FORMATS.char },
  title: { Widget: editable('title', TextDisplay), format: FORMATS.char },
  toggle: { Widget: editable('switch', TickDisplay), format: FORMATS.boolean, isEmpty: never },
  url: { Widget: editable('url', UrlDisplay), format: FORMATS.char },
}

const IDLE_MS = 2_000

export function registerFields(): void {
  for (const [name, format] of Object.entries(FORMATS)) formatters.add(name, format)
  for (const [name, entry] of Object.entries(WIDGETS)) {
    const format = formatters.get(name)
    fields.add(name, format ? { format, ...entry } : entry)
  }
  // Loaded after the first view is drawn, so that editing the first cell does not have to wait.
  if (typeof window !== 'undefined') setTimeout(() => void editors.load(), IDLE_MS)
}
