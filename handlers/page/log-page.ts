import type { Answer } from '../../kernel/http/respond.ts'
import type { Translate } from '../../kernel/i18n/translate.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'
import { brand, page, type Reader, translatorFor } from '../../kernel/page/layout.ts'
import { LOG_STYLE } from './log-style.ts'

/** Log levels of `sys.log`, from the least to the most important. */
export const LOG_LEVELS = { debug: 'Debug', info: 'Info', warning: 'Warning', error: 'Error' } as const

export type StoredLevel = keyof typeof LOG_LEVELS

export interface LogRow {
  readonly id: number
  readonly time: string
  readonly level: StoredLevel
  readonly source: string
  readonly message: string
  readonly request_id: string | null
  readonly user: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export interface LogFilter {
  readonly level: StoredLevel
  readonly q: string
  readonly request: string
}

export interface LogList {
  /** Newest first. */
  readonly rows: readonly LogRow[]
  /** Id of the newest entry; `after=<cursor>` returns later ones. */
  readonly cursor: number
  /** Where older entries begin; null at the end. */
  readonly before: number | null
}

export const LOG_PATH = '/web/settings/app-logs'

const addressOf = (filter: LogFilter, more: Readonly<Record<string, string>> = {}): string => {
  const given = Object.entries({ ...filter, ...more }).filter(
    ([name, value]) => value !== '' && value !== EVERYTHING[name],
  )
  return given.length === 0 ? LOG_PATH : `${LOG_PATH}?${new URLSearchParams(given)}`
}

const EVERYTHING: Readonly<Record<string, string>> = { level: 'debug' }

/** The log as a page: filters, entries that open, older ones behind a link, and, where scripts run, new ones as they come. */
export function logPage(reader: Reader, filter: LogFilter, { rows, cursor, before }: LogList, tz: string): Answer {
  const t = translatorFor(reader)
  const time = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: tz })
  const clock = (moment: string) => time.format(new Date(moment))
  const isFiltered = addressOf(filter) !== LOG_PATH
  return page(reader, {
    title: t('Log'),
    head: (nonce) => html`<style nonce="${nonce}">${{ markup: LOG_STYLE }}</style>`,
    body: html`<div class="logs"><header class="log-top">${brand}<nav aria-label="${t('Breadcrumb')}"><a class="link" href="/web/settings">${t('Settings')}</a></nav><span class="t3" aria-hidden="true">/</span><h1>${t('Log')}</h1>
<span class="end hs"><button type="button" class="btn" id="tail" aria-pressed="false" hidden><span class="live" aria-hidden="true"></span>${t('Live')}</button><button type="button" class="btn icon ghost" aria-label="${t('Switch theme')}" data-toggle-theme hidden>${icon('theme')}</button></span></header>
<form class="log-filter" method="get" action="${LOG_PATH}" role="search">
<label class="sr" for="level">${t('Level')}</label><span class="pick"><select class="select" id="level" name="level">${Object.entries(LOG_LEVELS).map(([value, label]) => html`<option value="${value}" data-name="${t(label)}"${value === filter.level && html` selected`}>${value === 'debug' ? t('All levels') : t('{level} and above', { level: t(label) })}</option>`)}</select>${icon('down')}</span>
<label class="sr" for="q">${t('Text')}</label><input class="input" type="search" id="q" name="q" value="${filter.q}" placeholder="${t('Search in messages')}">
<label class="sr" for="request">${t('Request')}</label><input class="input mono" id="request" name="request" value="${filter.request}" placeholder="${t('Request id')}" spellcheck="false" autocomplete="off">
<button type="submit" class="btn primary">${t('Filter')}</button>${isFiltered && html`<a class="btn ghost" href="${LOG_PATH}">${t('Clear')}</a>`}</form>
<main id="main"><ol class="log-rows" id="rows" data-from="${addressOf(filter)}" data-cursor="${cursor}" data-zone="${tz}">${rows.map((row) => rowItem(t, filter, row, clock(row.time)))}</ol>
${rows.length === 0 && html`<p class="t3 log-none" id="none">${isFiltered ? t('Nothing in the log fits.') : t('The log is empty.')}</p>`}
${before !== null && html`<p class="log-more"><a class="btn" href="${addressOf(filter, { before: String(before) })}">${t('Older entries')}</a></p>`}</main>
<template id="row">${rowItem(t, filter, EMPTY_ROW, '')}</template></div>`,
  })
}

const EMPTY_ROW: LogRow = {
  id: 0,
  time: '',
  level: 'debug',
  source: '',
  message: '',
  request_id: '',
  user: '',
  details: {},
}

const TONES: Readonly<Record<StoredLevel, string>> = { debug: '', info: 'info', warning: 'warning', error: 'danger' }

function rowItem(t: Translate, filter: LogFilter, row: LogRow, clock: string): Html {
  const { stack, ...facts } = row.details
  const known = Object.entries(facts).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const more = [row.message, ...known, ...(typeof stack === 'string' ? ['', stack] : [])].join('\n')
  return html`<li data-id="${row.id}"><details><summary><time class="t3 tn" datetime="${row.time}">${clock}</time><span class="badge ${TONES[row.level]}">${t(LOG_LEVELS[row.level])}</span><span class="t2 log-source">${row.source}</span><span class="log-text">${row.message}</span></summary>
<div class="log-more-of"><p class="hs wrap fs12 t3"${row.user === null && row.request_id === null && html` hidden`}>${row.request_id !== null && html`<span>${t('Request')} <a class="link mono" href="${addressOf({ ...filter, request: row.request_id })}">${row.request_id}</a></span>`}${row.user !== null && html`<span>${t('User')} <b class="med">${row.user}</b></span>`}</p>
<pre class="mono">${more}</pre></div></details></li>`
}
