import { describe, expect, test } from 'vitest'
import { CONFIG_KEYS, type ConfigSources, loadConfig } from '../../runtime/config.ts'

const load = (sources: Partial<ConfigSources> & { file?: string } = {}) =>
  loadConfig({
    argv: [],
    env: {},
    readText: (path) => (path === 'svc.ini' ? sources.file : undefined),
    ...sources,
  })

const fail = (file: string) => {
  try {
    load({ file })
  } catch (error) {
    return error instanceof Error ? `${error.name} ${error.message}` : 'no error'
  }
  return 'loaded'
}

describe('defaults', () => {
  test('apply without a file', () => {
    expect(load()).toEqual({
      warnings: [],
      config: {
        db_dsn: '',
        db_session_dsn: '',
        db_read_replica_dsn: '',
        db_max_open_conns: 20,
        data_dir: '.data',
        http_host: '127.0.0.1',
        http_port: 8069,
        drain_seconds: 5,
        public_url: null,
        secret_key: '',
        rate_limit_rpm: 600,
        session_idle_hours: 24,
        session_max_hours: 336,
        smtp_host: '',
        smtp_port: 587,
        smtp_secure: false,
        smtp_user: '',
        smtp_password: '',
        smtp_from: null,
        bus_enabled: true,
        trusted_proxies: [],
        log_level: 'info',
        log_format: 'pretty',
        trace: false,
        otel: false,
        addons_path: [],
        pdf_fonts: [],
        map_tiles_url: '',
        placeOf: expect.any(Function),
        labelOf: expect.any(Function),
      },
    })
  })

  test('every key has help', () => {
    for (const { help } of Object.values(CONFIG_KEYS)) expect(help).not.toBe('')
  })
})

describe('the file', () => {
  test('sets values of every kind', () => {
    const { config } = load({
      file: [
        '\uFEFF; a comment',
        '# another',
        '',
        'db_dsn = postgresql://u:p;w@db.example.com:5433/erp?sslmode=require',
        '  http_port=0',
        'smtp_user = mail#7',
        'smtp_secure = Yes',
        'bus_enabled = off ; a remark',
        'log_level = debug # a remark',
        'trusted_proxies = 10.0.0.0/8, ::1 ,fd00::/8',
        'public_url = https://ERP.example.com/',
        'smtp_password = " a#b;c "',
        "smtp_from = 'Modulus <no-reply@example.com>'",
        'addons_path = /srv/addons, ./more',
        `secret_key = ${'k'.repeat(32)}`,
      ].join('\r\n'),
    })
    expect(config).toMatchObject({
      db_dsn: 'postgresql://u:p;w@db.example.com:5433/erp?sslmode=require',
      http_port: 0,
      smtp_user: 'mail#7',
      smtp_secure: true,
      bus_enabled: false,
      log_level: 'debug',
      trusted_proxies: ['10.0.0.0/8', '::1', 'fd00::/8'],
      public_url: 'https://erp.example.com',
      smtp_password: ' a#b;c ',
      smtp_from: { name: 'Modulus', address: 'no-reply@example.com' },
      addons_path: ['/srv/addons', './more'],
    })
  })

  test.each([
    ['\nhttp_prt = 1', 'ConfigError svc.ini:2: http_prt is not a setting. Did you mean http_port?'],
    ['__proto__ = 1', 'ConfigError svc.ini:1: __proto__ is not a setting.'],
    ['toString = 1', 'ConfigError svc.ini:1: toString is not a setting.'],
    ['HTTP_PORT = 1', 'ConfigError svc.ini:1: HTTP_PORT is not a setting. Did you mean http_port?'],
    ['SVC_HTTP_PORT = 1', 'ConfigError svc.ini:1: SVC_HTTP_PORT is not a setting. Did you mean http_port?'],
    ['[section]', 'ConfigError svc.ini:1: there are no sections, only "name = value".'],
    [
      'bus_enabled = on\n[a]\n\n [a]',
      `ConfigError ${[2, 4].map((line) => `svc.ini:${line}: there are no sections, only "name = value".`).join('\n')}`,
    ],
    ['http_port', 'ConfigError svc.ini:1: expected "name = value".'],
    ['http_port = 1\n\nhttp_port = 2', 'ConfigError svc.ini:3: http_port is set already in line 1.'],
    ['http_port = 65536', 'ConfigError svc.ini:1: http_port must be a whole number from 0 to 65535.'],
    ['http_port = 80.5', 'ConfigError svc.ini:1: http_port must be a whole number from 0 to 65535.'],
    ['http_port =', 'ConfigError svc.ini:1: http_port must be a whole number from 0 to 65535.'],
    ['http_port = 0x50', 'ConfigError svc.ini:1: http_port must be a whole number from 0 to 65535.'],
    ['db_max_open_conns = 0', 'ConfigError svc.ini:1: db_max_open_conns must be a whole number from 1 to 1000.'],
    ['data_dir =', 'ConfigError svc.ini:1: data_dir must be given.'],
    ['bus_enabled = maybe', 'ConfigError svc.ini:1: bus_enabled must be true or false.'],
    ['log_format = xml', 'ConfigError svc.ini:1: log_format must be one of pretty, json.'],
    [
      'db_dsn = mysql://x',
      'ConfigError svc.ini:1: db_dsn must be of the form postgresql://user:password@host:port/database.',
    ],
    [
      'public_url = erp.example.com',
      'ConfigError svc.ini:1: public_url must be of the form https://host, without a path.',
    ],
    [
      'public_url = https://x/erp',
      'ConfigError svc.ini:1: public_url must be of the form https://host, without a path.',
    ],
    ['secret_key = hunter2', 'ConfigError svc.ini:1: secret_key must be at least 32 characters.'],
    [
      'map_tiles_url = https://tiles.example/',
      'ConfigError svc.ini:1: map_tiles_url must be of the form https://host/{z}/{x}/{y}.png.',
    ],
    [
      'trusted_proxies = lb.local',
      'ConfigError svc.ini:1: trusted_proxies must be IP addresses or networks such as 10.0.0.0/8, with commas between.',
    ],
  ])('%j stops the start', (file, message) => {
    expect(fail(file)).toBe(message)
  })

  test('can be another one', () => {
    const readText = (path: string) => (path === 'conf/my.ini' ? 'http_port = 1' : undefined)
    expect(load({ argv: ['serve', '--config', 'conf/my.ini'], readText }).config.http_port).toBe(1)
    expect(load({ argv: ['--config=conf/my.ini'], readText }).config.http_port).toBe(1)
    expect(() => load({ argv: ['--config', 'gone.ini'], readText })).toThrow('gone.ini: no such file.')
    expect(() => load({ argv: ['--config'] })).toThrow('--config needs the name of a file.')
  })
})

test('a message about a setting names its place, or the variable', () => {
  const { config } = load({ file: '\npdf_fonts = a.ttf', env: { SVC_ADDONS_PATH: 'more' } })
  const labels = (['pdf_fonts', 'addons_path', 'db_dsn'] as const).map(config.labelOf)
  expect(labels).toEqual(['svc.ini:2: pdf_fonts', 'SVC_ADDONS_PATH', 'db_dsn'])
})

describe('the environment', () => {
  test('wins over the file; an empty variable counts as not set', () => {
    const { config } = load({
      file: 'http_port = 1\nlog_level = warn',
      env: { SVC_HTTP_PORT: '2', SVC_LOG_LEVEL: '', PATH: '/' },
    })
    expect(config).toMatchObject({ http_port: 2, log_level: 'warn' })
  })

  test('an unknown variable is a warning', () => {
    expect(load({ env: { SVC_HTTP_PRT: '2' } }).warnings).toEqual([
      'SVC_HTTP_PRT is not a setting and has no effect. Did you mean SVC_HTTP_PORT?',
    ])
  })

  test('a wrong value stops the start', () => {
    expect(() => load({ env: { SVC_HTTP_PORT: 'x' } })).toThrow('SVC_HTTP_PORT must be a whole number from 0 to 65535.')
  })
})
