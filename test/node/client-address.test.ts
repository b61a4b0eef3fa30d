import { describe, expect, test } from 'vitest'
import { addressSubject, parseAddress } from '../../kernel/http/address.ts'
import { clientAddress, parseNetwork } from '../../runtime/client-address.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'

const networks = (...texts: string[]) => texts.map((text) => parseNetwork(text)!)

describe('the address of a caller', () => {
  const PROXIES = networks('10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1')

  test.each<[string, string | undefined, string | null, string | null]>([
    ['is that of the socket', '203.0.113.5', null, '203.0.113.5'],
    ['is that of the socket, whatever a stranger forwards', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['is what a trusted proxy says', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is what a proxy on this machine says', '::1', '198.51.100.1', '198.51.100.1'],
    ['is the last that is not trusted', '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7, 10.9.9.9', '198.51.100.1'],
    ['is not what the caller made up before it', '10.1.2.3', '10.0.0.1, 127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['is the first proxy where all are trusted', '10.1.2.3', '10.0.0.5, 10.0.0.6', '10.0.0.5'],
    ['is the proxy itself when it forwards nothing', '10.1.2.3', null, '10.1.2.3'],
    ['is the proxy itself when it forwards an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['is the proxy that vouches for garbage', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['is the inner proxy that vouches for garbage', '10.1.2.3', 'x, 10.0.0.9', '10.0.0.9'],
    ['does not reach what stands before a stranger', '10.1.2.3', '<script>, 198.51.100.1', '198.51.100.1'],
    ['may come with a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['may come in brackets with a port', '10.1.2.3', '[2001:DB8::5]:4711', '2001:db8::5'],
    ['may come in brackets', '10.1.2.3', '[2001:db8::5]', '2001:db8::5'],
    ['is IPv4 when it is mapped into IPv6', '::ffff:203.0.113.5', null, '203.0.113.5'],
    ['is IPv4 when it is mapped in hexadecimal', '10.1.2.3', '::ffff:c633:6401', '198.51.100.1'],
    ['is trusted when mapped', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['comes without a zone', 'fe80::1%eth0', null, 'fe80::1'],
    ['comes from a proxy with IPv6', 'fd12::1', '2001:db8::9', '2001:db8::9'],
    ['is unknown for a socket without one', undefined, '198.51.100.1', null],
    ['is unknown for a socket with a strange one', 'pipe', '198.51.100.1', null],
    ['keeps to the proxy before a hop with an octal zero', '10.1.2.3', '010.1.1.1', '10.1.2.3'],
    ['keeps to the proxy before a hop out of range', '10.1.2.3', '256.1.1.1', '10.1.2.3'],
    ['keeps to the proxy before a hop that is too short', '10.1.2.3', '1.2.3', '10.1.2.3'],
    ['keeps to the proxy before a list that ends in a comma', '10.1.2.3', '198.51.100.1,', '10.1.2.3'],
  ])('%s', (_rule, socket, forwarded, expected) => {
    expect(clientAddress(socket, forwarded, PROXIES)).toBe(expected)
  })

  test('ignores forwarded addresses if no proxy is trusted', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', [])).toBe('127.0.0.1')
  })

  test('is found in a header of any length without delay', async () => {
    for (const header of ['10.0.0.1,'.repeat(100_000), ':'.repeat(100_000)]) {
      expect(clientAddress('10.1.2.3', header, PROXIES)).toBe('10.1.2.3')
      await expectCpuBelow(100, () => clientAddress('10.1.2.3', header, PROXIES))
    }
  })
})

describe('a network', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/9', '10.127.0.1', true],
    ['10.0.0.0/9', '10.128.0.1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['0.0.0.0/0', '203.0.113.5', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.5', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
  ])('%s holds %s: %s', (network, address, expected) => {
    expect(clientAddress(address, '198.51.100.1', networks(network)) === '198.51.100.1').toBe(expected)
  })

  test.each([
    '',
    'lb.local',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0/8',
    '::1/129',
    '::1/x',
    '1:2:3',
    '10.0.0.0/-1',
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeNull()
  })
})

describe('an address', () => {
  test.each([
    ['1.2.3.4', [1, 2, 3, 4]],
    ['::', Array(16).fill(0)],
    ['::1', [...Array(15).fill(0), 1]],
    ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ['1::8', [0, 1, ...Array(13).fill(0), 8]],
    ['64:ff9b::192.0.2.1', [0, 0x64, 0xff, 0x9b, ...Array(8).fill(0), 192, 0, 2, 1]],
    ['::FFFF:192.0.2.1', [192, 0, 2, 1]],
  ])('%s is read', (text, bytes) => {
    expect(parseAddress(text)).toEqual(bytes)
  })

  test.each([
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    'g::1',
    '12345::',
    '1.2.3.4.5',
    '1.2.3.4::',
    '::1.2.3',
    '01.2.3.4',
    ' 1.2.3.4',
    '1.2.3.4\n',
    '-1.2.3.4',
  ])('%j is not one', (text) => {
    expect(parseAddress(text)).toBeNull()
  })
})

describe('the one who pays for an address', () => {
  test.each([
    ['203.0.113.5', 'ip:203.0.113.5'],
    ['::ffff:203.0.113.5', 'ip:203.0.113.5'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', 'ip:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', 'ip:2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', 'ip:2001:db8:1:3::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
    ['garbage', 'ip:unknown'],
    [null, 'ip:unknown'],
  ])('%s is %s', (address, expected) => {
    expect(addressSubject(address)).toBe(expected)
  })
})
