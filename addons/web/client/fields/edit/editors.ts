import './edit.css'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { editors, PendingField } from '../editing.tsx'
import { BadgeInput } from './badge.tsx'
import { CheckInput, FavouriteInput, SwitchInput } from './boolean.tsx'
import { CharInput, EmailInput, PasswordInput, PhoneInput, TitleInput, UrlInput } from './char.tsx'
import { CheckboxesInput } from './checkboxes.tsx'
import { ColorInput } from './color.tsx'
import { DateInput, DatetimeInput } from './date.tsx'
import { LanguageInput } from './language.tsx'
import { LinkInput } from './many2one.tsx'
import { MoneyInput } from './monetary.tsx'
import { FloatInput, HoursInput, IntegerInput, PercentInput } from './number.tsx'
import { StarsInput } from './priority.tsx'
import { ProgressInput } from './progress.tsx'
import { RadioInput, SelectInput } from './selection.tsx'
import { StatusbarField } from './statusbar.tsx'
import { PeopleInput, TagsInput } from './tags.tsx'
import { CodeArea, TextArea } from './text.tsx'

/** Few forms have one. */
const TimeZoneInput = deferredComponent(
  deferred(() => import('./time-zone.tsx')),
  ({ TimeZoneInput }) => TimeZoneInput,
  PendingField,
)

/** The controls of the common field types, loaded as one chunk. */
export const EDITORS = {
  badge: BadgeInput,
  char: CharInput,
  check: CheckInput,
  checkboxes: CheckboxesInput,
  code: CodeArea,
  color: ColorInput,
  date: DateInput,
  datetime: DatetimeInput,
  email: EmailInput,
  favourite: FavouriteInput,
  float: FloatInput,
  hours: HoursInput,
  integer: IntegerInput,
  language: LanguageInput,
  link: LinkInput,
  money: MoneyInput,
  password: PasswordInput,
  people: PeopleInput,
  percent: PercentInput,
  phone: PhoneInput,
  progress: ProgressInput,
  radio: RadioInput,
  select: SelectInput,
  stars: StarsInput,
  statusbar: StatusbarField,
  switch: SwitchInput,
  tags: TagsInput,
  text: TextArea,
  timezone: TimeZoneInput,
  title: TitleInput,
  url: UrlInput,
}

editors.provide({ EDITORS })
