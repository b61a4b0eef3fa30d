import './fields.css'
import { type FieldEntry, fields, formatters } from '../sdk.ts'
import { AvatarField } from './avatar.tsx'
import { BadgeField } from './badge.tsx'
import { BooleanField, FavouriteField, ToggleField } from './boolean.tsx'
import { CharField } from './char.tsx'
import { CheckboxesField } from './checkboxes.tsx'
import { ColorField } from './color.tsx'
import { EmailField, PhoneField, UrlField } from './contact.tsx'
import { DateField, DatetimeField } from './date.tsx'
import { FORMATS } from './format-value.ts'
import { HandleField } from './handle.tsx'
import { HtmlField } from './html.tsx'
import { lazyField } from './lazy-field.tsx'
import { Many2oneField } from './many2one.tsx'
import { MonetaryField } from './monetary.tsx'
import { FloatField, HoursField, IntegerField, PercentField } from './number.tsx'
import { PasswordField } from './password.tsx'
import { PriorityField } from './priority.tsx'
import { ProgressField } from './progress.tsx'
import { RadioField, SelectionField } from './selection.tsx'
import { StatInfo } from './statinfo.tsx'
import { StatusbarField } from './statusbar.tsx'
import { TagsField } from './tags.tsx'
import { CodeField, TextField } from './text.tsx'

const isNoList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0
const never = (): boolean => false

const BinaryField = lazyField(async () => (await import('./binary.tsx')).BinaryField)
const ImageField = lazyField(async () => (await import('./binary.tsx')).ImageField)
const JsonField = lazyField(async () => (await import('./source.tsx')).JsonField)
const DomainField = lazyField(async () => (await import('./source.tsx')).DomainField)
const ReferenceField = lazyField(async () => (await import('./reference.tsx')).ReferenceField)
const LinesField = lazyField(async () => (await import('./lines/lines.tsx')).LinesField)

/** By type, then by the name a view asks for with `widget`. Large ones come in chunks of their own. */
const WIDGETS: Readonly<Record<string, FieldEntry>> = {
  char: { Widget: CharField, format: FORMATS.char },
  text: { Widget: TextField, format: FORMATS.text },
  html: { Widget: HtmlField, format: FORMATS.html },
  integer: { Widget: IntegerField, format: FORMATS.integer, numeric: true },
  float: { Widget: FloatField, format: FORMATS.float, numeric: true },
  monetary: { Widget: MonetaryField, format: FORMATS.monetary, numeric: true },
  boolean: { Widget: BooleanField, format: FORMATS.boolean, isEmpty: never },
  date: { Widget: DateField, format: FORMATS.date },
  datetime: { Widget: DatetimeField, format: FORMATS.datetime },
  selection: { Widget: SelectionField, format: FORMATS.selection },
  many2one: { Widget: Many2oneField, format: FORMATS.many2one },
  one2many: { Widget: LinesField, format: FORMATS.one2many, isEmpty: isNoList },
  many2many: { Widget: LinesField, format: FORMATS.many2many, isEmpty: isNoList },
  binary: { Widget: BinaryField, format: FORMATS.binary },
  image: { Widget: ImageField, format: FORMATS.image },
  json: { Widget: JsonField, format: FORMATS.json },
  reference: { Widget: ReferenceField, format: FORMATS.reference },

  avatar: { Widget: AvatarField },
  badge: { Widget: BadgeField },
  checkboxes: { Widget: CheckboxesField, isEmpty: isNoList },
  code: { Widget: CodeField, format: FORMATS.text },
  color: { Widget: ColorField },
  domain: { Widget: DomainField, format: FORMATS.text },
  email: { Widget: EmailField, format: FORMATS.char },
  favourite: { Widget: FavouriteField, format: FORMATS.boolean, isEmpty: never },
  handle: { Widget: HandleField },
  hours: { Widget: HoursField, format: FORMATS.hours, numeric: true },
  password: { Widget: PasswordField },
  percent: { Widget: PercentField, format: FORMATS.percent, numeric: true },
  phone: { Widget: PhoneField, format: FORMATS.char },
  priority: { Widget: PriorityField, format: FORMATS.selection },
  progress: { Widget: ProgressField, format: FORMATS.progress },
  progressbar: { Widget: ProgressField, format: FORMATS.progress },
  radio: { Widget: RadioField, format: FORMATS.selection },
  statinfo: { Widget: StatInfo },
  statusbar: { Widget: StatusbarField },
  'kanban.statusbar': { Widget: BadgeField },
  tags: { Widget: TagsField, isEmpty: isNoList },
  'list.many2many': { Widget: TagsField, isEmpty: isNoList },
  'kanban.many2many': { Widget: TagsField, isEmpty: isNoList },
  toggle: { Widget: ToggleField, format: FORMATS.boolean, isEmpty: never },
  url: { Widget: UrlField, format: FORMATS.char },
}

export function registerFields(): void {
  // Addons have registered before: what they improved stays.
  for (const [name, entry] of Object.entries(WIDGETS)) if (!fields.get(name)) fields.add(name, entry)
  for (const [name, format] of Object.entries(FORMATS)) if (!formatters.get(name)) formatters.add(name, format)
}
