/** Styles of the log page. They use the client's design tokens; without a built client the page is a plain list. */
export const LOG_STYLE = `
.logs { max-width: 1200px; margin-inline: auto; padding: 12px 16px 40px; display: grid; gap: 12px }
.log-top { display: flex; align-items: center; gap: 10px; min-height: var(--topbar-h, 44px); flex-wrap: wrap }
.log-top h1 { font-size: var(--fs-16, 1rem) }
.log-top .end { margin-inline-start: auto; display: flex; gap: 6px }
.log-filter { display: grid; grid-template-columns: minmax(140px, 180px) 1fr minmax(140px, 260px) auto; grid-auto-flow: column; grid-auto-columns: auto; gap: 8px }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.log-rows { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line-2, #ccc); border-radius: var(--r10, 10px); overflow: hidden; background: var(--surface) }
.log-rows:empty { display: none }
.log-rows li + li { border-block-start: 1px solid var(--line, #ddd) }
.log-rows summary { display: grid; grid-template-columns: 150px 72px 72px minmax(0, 1fr); gap: 12px; align-items: center; padding: 0 12px; min-height: var(--row, 32px); cursor: pointer; list-style: none; font-size: var(--fs-13, .8125rem) }
.log-rows summary::-webkit-details-marker { display: none }
.log-rows summary:hover { background: var(--row-hover) }
.log-rows summary:focus-visible { outline: 2px solid var(--ring); outline-offset: -2px }
.log-rows .badge { justify-self: start }
.log-rows time { white-space: nowrap }
.log-text, .log-source { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.log-text { font-family: var(--mono, monospace); font-size: var(--fs-12, .75rem) }
.log-more-of { padding: 8px 12px 12px; background: var(--canvas); border-block-start: 1px solid var(--line, #ddd); display: grid; gap: 8px }
.log-more-of pre { margin: 0; font-size: var(--fs-12, .75rem); white-space: pre-wrap; overflow-wrap: anywhere }
.log-none { text-align: center; padding: 48px 16px }
.log-more { text-align: center; margin-block-start: 12px }
.live { width: 8px; height: 8px; border-radius: 50%; background: var(--mark, #888); display: inline-block }
[aria-pressed="true"] .live { background: var(--success, green) }
@media (max-width: 640px) {
  .log-filter { grid-template-columns: 1fr 1fr; grid-auto-flow: row }
  .log-filter .pick, .log-filter [type="search"], .log-filter #request { grid-column: 1 / -1 }
  .log-rows summary { grid-template-columns: auto auto 1fr; gap: 4px 8px; padding-block: 8px }
  .log-text { grid-column: 1 / -1; white-space: normal; overflow-wrap: anywhere }
}
`
