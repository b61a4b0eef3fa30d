import { expect, test } from 'vitest'
import { strengthOf } from '../../addons/web/client/password-strength.ts'

test('a password is as strong as it is hard to guess, not as it is long', () => {
  const weak = [
    'password1234567',
    'aaaaaaaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'qwertzuiop123456',
    'Sommer2026!',
    'short',
  ]
  expect(weak.map((password) => strengthOf(password))).toEqual(weak.map(() => 1))
  expect(strengthOf('')).toBe(0)
  expect(strengthOf('correct horse battery')).toBeGreaterThan(2)
  expect(strengthOf('kX9$vT2#qLm8&wR4')).toBe(4)
  expect(strengthOf('violet cactus seldom orbits')).toBe(4)
})

test('names of the company and the user count as guessed', () => {
  expect(strengthOf('alderfinchelena')).toBeGreaterThan(strengthOf('alderfinchelena', ['Alder & Finch', 'Elena Rossi']))
  expect(strengthOf('alderfinchelena', ['Alder & Finch', 'Elena Rossi'])).toBe(1)
})
