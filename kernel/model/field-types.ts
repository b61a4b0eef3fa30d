import { binary, binaryType, image, imageType } from './fields/binary.ts'
import { boolean, booleanType } from './fields/boolean.ts'
import { date, dateType, datetime, datetimeType } from './fields/date.ts'
import type { FieldType, FieldTypeName } from './fields/field.ts'
import { json, jsonType } from './fields/json.ts'
import { many2one, many2oneType } from './fields/many2one.ts'
import { float, floatType, integer, integerType, monetary, monetaryType } from './fields/number.ts'
import { reference, referenceType } from './fields/reference.ts'
import { selection, selectionType } from './fields/selection.ts'
import { char, charType, htmlText, htmlType, plainTextType, text } from './fields/text.ts'
import { many2many, many2manyType, one2many, one2manyType } from './fields/x2many.ts'

/** How an addon declares fields: `field.char({ required: true })`. */
export const field = {
  char,
  text,
  html: htmlText,
  integer,
  float,
  monetary,
  boolean,
  date,
  datetime,
  selection,
  many2one,
  one2many,
  many2many,
  binary,
  image,
  json,
  reference,
} as const

export const FIELD_TYPES: Readonly<Record<FieldTypeName, FieldType>> = {
  char: charType,
  text: plainTextType,
  html: htmlType,
  integer: integerType,
  float: floatType,
  monetary: monetaryType,
  boolean: booleanType,
  date: dateType,
  datetime: datetimeType,
  selection: selectionType,
  many2one: many2oneType,
  one2many: one2manyType,
  many2many: many2manyType,
  binary: binaryType,
  image: imageType,
  json: jsonType,
  reference: referenceType,
}
