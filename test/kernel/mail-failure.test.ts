import { expect, test } from 'vitest'
import { explainFailure, placedReason } from '../../kernel/mail/mail-failure.ts'

const t = (text: string, values: Readonly<Record<string, unknown>> = {}) =>
  text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name]))
const say = (kept: string, current: string | null = null) => explainFailure({ t }, kept, current)

const SERVER = 'smtp.example.com:587'

test.each([
  ['connect ECONNREFUSED 10.0.0.1:587', 'The mail server smtp.example.com:587 cannot be reached.'],
  ['connect EHOSTUNREACH 10.0.0.1:587', 'The mail server smtp.example.com:587 cannot be reached.'],
  [
    'getaddrinfo ENOTFOUND smtp.example.com',
    'The mail server smtp.example.com:587 cannot be found: there is no such name.',
  ],
  [
    'getaddrinfo EAI_AGAIN smtp.example.com',
    'The mail server smtp.example.com:587 cannot be found: there is no such name.',
  ],
  ['connect ETIMEDOUT 10.0.0.1:587', 'The mail server smtp.example.com:587 did not answer in time.'],
  ['Connection timeout', 'The mail server smtp.example.com:587 did not answer in time.'],
  ['Greeting never received', 'The mail server smtp.example.com:587 did not answer in time.'],
  [
    'Invalid login: 535 5.7.8 Authentication failed',
    'The mail server smtp.example.com:587 did not accept account and password.',
  ],
  ['Missing credentials for "PLAIN"', 'The mail server smtp.example.com:587 did not accept account and password.'],
  [
    'self-signed certificate',
    'The certificate of the mail server smtp.example.com:587 is not valid, or is for another name.',
  ],
  [
    "Hostname/IP does not match certificate's altnames: Host: smtp.example.com.",
    'The certificate of the mail server smtp.example.com:587 is not valid, or is for another name.',
  ],
  [
    '0A00010B:SSL routines:ssl3_get_record:wrong version number',
    'No encrypted connection to the mail server smtp.example.com:587 could be made.',
  ],
  ['read ECONNRESET', 'The mail server smtp.example.com:587 has ended the connection.'],
])('what a program calls “%s” is said in words', (text, error) => {
  expect(say(placedReason(SERVER, text))).toEqual({ error, detail: text })
})

test('an error that names no server is one of the server that is set', () => {
  expect(say('connect ECONNREFUSED 10.0.0.1:587', 'mail.example.com:25')).toEqual({
    error: 'The mail server mail.example.com:25 cannot be reached.',
    detail: 'connect ECONNREFUSED 10.0.0.1:587',
  })
})

test('what a server says about a mail stays as it is', () => {
  for (const kept of [
    '550 no such user',
    'Message failed: 554 5.7.1 TLS is required',
    'connect ECONNREFUSED 10.0.0.1:587',
  ])
    expect(say(kept, kept.startsWith('connect') ? null : SERVER)).toEqual({ error: kept, detail: null })
})
