#!/usr/bin/env node
// `npx modulus` alone starts the service; with a command it is `svc`.
const [first = '--'] = process.argv.slice(2)
const isBare = first.startsWith('--') && !['--help', '--version'].includes(first)
if (isBare) process.argv.splice(2, first === '--' ? 1 : 0, 'serve')
await import('./svc.mjs')
