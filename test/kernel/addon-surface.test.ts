import { expect, test } from 'vitest'
import * as kernel from '#kernel'
import { sql as kernelSql } from '../../kernel/sql/sql.ts'

/** Whatever is added here is something every addon may call: so it has to check access itself, or reveal no data. */
const VALUES = [
  'AppError',
  'LIMITS',
  'MESSAGE_HTML',
  'PAGE_RECORDS',
  'REASONS',
  'Refusal',
  'VIEW_TYPE_LABELS',
  'accessDenied',
  'actorOf',
  'afterImport',
  'audit',
  'badRequest',
  'behavior',
  'bumpAccessEpoch',
  'bumpViewEpoch',
  'byId',
  'canSendMail',
  'cancelImport',
  'composeDocument',
  'confirmImport',
  'conflict',
  'copyRecord',
  'copyRecords',
  'currencySums',
  'defineAddon',
  'defineMixin',
  'defineModel',
  'defineViewKind',
  'displayNames',
  'documentAddress',
  'explainColumns',
  'explainDomainText',
  'explainSort',
  'explainView',
  'extendModel',
  'field',
  'findPrincipal',
  'forgetBatches',
  'forgetCounter',
  'form',
  'htmlOfText',
  'ids',
  'invalid',
  'isContentViewType',
  'isLanguage',
  'isMailAddress',
  'isMarkup',
  'isTimeZone',
  'jsonAnswer',
  'labelIn',
  'listReasons',
  'loginKey',
  'mailPerson',
  'mailUser',
  'mayReachRecord',
  'mayReadField',
  'mayUndoImports',
  'mayUseModel',
  'multiplyMoney',
  'nextNumber',
  'nextNumbers',
  'normalForm',
  'notFound',
  'previewNumbers',
  'readAgain',
  'readSetting',
  'recomputeStored',
  'recordIdText',
  'recordLink',
  'redirect',
  'refusal',
  'refusePassword',
  'renderDocument',
  'requireCall',
  'requireCredentialRight',
  'requireOwnUsers',
  'requireRecord',
  'requireRecords',
  'resultHref',
  'roundMoney',
  'roundToFactor',
  'route',
  'sanitizeHtml',
  'sendAddressNotice',
  'sendPasswordNotice',
  'settingOfKey',
  'settingProblem',
  'sql',
  'sumMoney',
  'syncCounter',
  'textOfHtml',
  'tryImport',
  'unavailable',
  'undoImport',
  'unknownTokens',
  'viewProvenance',
  'wantsJson',
  'wholeNumber',
]

test('addons reach the values of this list and no others', () => {
  expect(Object.keys(kernel).sort()).toEqual(VALUES)
})

test('the sql tag of addons has none of the helpers that make SQL of names and text', () => {
  expect(Object.keys(kernelSql).sort()).toEqual(['id', 'join', 'raw', 'ref', 'table', 'val'])
  expect(Object.keys(kernel.sql)).toEqual([])
  expect(kernel.sql).not.toBe(kernelSql)
})

test('the sql tag of addons takes templates only', () => {
  const hole = "x'; drop table core_user; --"
  expect(kernel.sql`select ${hole}`.compile()).toEqual({ text: 'select $1', values: [hole] })
  const call = kernel.sql as unknown as (strings: readonly string[]) => unknown
  expect(() => call([hole])).toThrow(TypeError)
})
