const LISTENER = 'It tests how the listener of Node reads requests; here the platform does.'
const INSIDE = 'It counts statements or looks at what the process has observed.'
const PORT =
  'It gives the process a part of its own (a timer, a limiter, a mail server, routes), which cannot be put into workerd.'
const BUS = 'The page is one of a process with the bus; here there is none.'
const STOP = 'It is about the end of a process; an isolate has none.'

/** Tests of the API that cannot run on workerd, by how their names begin, and why not. An entry of which every test passes fails. */
export const NOT_ON_WORKERD: Readonly<Record<string, string>> = {
  'the listener': LISTENER,
  'threats to sign-in and sessions > A9: two hosts': LISTENER,
  'threats to the shell > W13: a request with': LISTENER,
  'threats to the shell > W9: the health check': INSIDE,
  'threats to the shell > W12: a plain GET on the bus': INSIDE,
  'routes of addons > W11: every route': PORT,
  'access to models and fields > a field the caller may not read > is refused before any record is read': INSIDE,
  'an import of a difficult file > a chain of rows': INSIDE,
  'a caller who has called before > is not asked about': INSIDE,
  'a caller who has called before > a call that is refused before': INSIDE,
  'while a module leaves': INSIDE,
  'generated bodies > never become part of the text': INSIDE,
  'generated bodies > do not increase the number of prepared statements': INSIDE,
  'the search of a workspace > a list costs two': INSIDE,
  'a service that measures its requests': INSIDE,
  faults: INSIDE,
  'the cost of a limit': INSIDE,
  'a limit of 0': INSIDE,
  'a database that goes away > a pool that has as many callers': INSIDE,
  'a service that may still be set up, without its database': INSIDE,
  'a limiter': PORT,
  'a body that never ends': PORT,
  'POST /web/settings/mail > a test is sent with': PORT,
  'POST /web/settings/mail > a test says in plain words': PORT,
  'POST /web/settings/mail > a test over a connection': PORT,
  'POST /web/settings/mail > ten tests in five minutes': PORT,
  'a mail server in the settings of the process': PORT,
  'a built client': BUS,
  'a service that shuts down': STOP,
}

const FUNCTION = 'It calls functions, without a host.'
const TABLE = 'It compares the tests with their table.'
const NODE = 'It is about the listener of Node alone.'

/** Tests in the folder of the API that name no host, so that `npm run test:worker` leaves them out, by how their names begin, and why. */
export const OF_NO_HOST: Readonly<Record<string, string>> = {
  'every row of the table has its test': TABLE,
  'the allowlist is the twelve methods': FUNCTION,
  'no text in a script ends it': FUNCTION,
  'values on a page': FUNCTION,
  'the route table': FUNCTION,
  'the reasons of addons are listed': FUNCTION,
  'the parser of the tests': FUNCTION,
  'a listener with a public address': NODE,
  'a caller that does not read its answer': NODE,
  'a listener that closes': NODE,
  'the set-up [': 'The same suite has a worker beside the process.',
  'a database without any module': 'The same test has a worker beside the process.',
}
