/** Foreign hosts to which careless handling of `next` could redirect. */
const HOSTS = ['evil.test', 'evil.test:80', 'evil.test%2f..', '[::1]', '127.0.0.1.evil.test', 'user:pw@evil.test']

const PREFIXES = [
  '//',
  '///',
  '////',
  '/\\',
  '\\\\',
  '\\/',
  '/\t/',
  '/\n/',
  '/\r/',
  '/%09/',
  '/%2f',
  '/%5c',
  '%2f%2f',
  '%5c%5c',
  '/.//',
  '/..//',
  '/./\\',
  'http://',
  'https://',
  'HTTP://',
  'https:',
  'https:/',
  'https:\\\\',
  'ftp://',
  'ws://',
  ' //',
  '\t//',
  '\u0000//',
  '\u00a0//',
  '/web//',
  '/web/..//',
  '/web/../..//',
  '/web/%2e%2e//',
  '/web\\..\\..\\',
  '/web\t//',
  '/web\n//',
  '/web/\\',
  '/web/;//',
  '/web@',
  '/webhook//',
  '/web.',
  '/web%2f%2f',
  '/web/%2f%2f',
  '/web/%5c%5c',
  '/web/.%2e/.%2e//',
  '/\u2044',
  '/\uff0f',
  '\u3002',
]

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>1</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'blob:x',
  'mailto:a@b.c',
  '\u0001javascript:alert(1)',
]

/** Paths of the service to which `next` may not lead. */
const ELSEWHERE = [
  '/',
  '/api/rpc',
  '/setup',
  '/metrics',
  '/webx',
  '/WEB',
  '/web/../api/rpc',
  '/web/../setup',
  '/web/%2e%2e/api',
  '',
  ' ',
  '/web/\u0000',
  '/web\u0085//x',
  'web',
  './web',
  '../web',
  '?next=/web',
  '#/web',
]

/** Some 300 values of `next` that must lead home. */
export const OPEN_REDIRECTS: readonly string[] = [
  ...PREFIXES.flatMap((prefix) => HOSTS.map((host) => prefix + host)),
  ...SCHEMES,
  ...ELSEWHERE,
]

/** Values that must be kept. */
export const PAGES_OF_OURS: readonly string[] = [
  '/web',
  '/web/home',
  '/web?action=3&view_type=list',
  '/web/settings/app-logs?level=error#tail',
  '/web?q=a%2Fb',
]
