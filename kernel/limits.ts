/** Separate constants, because the browser needs only these two and the whole table would add to its size. */
export const TEXT_CHARS = 65_536
export const JSON_DEPTH = 32

/** Records of one page of a list, unless its view or its action sets another number. */
export const PAGE_RECORDS = 80

/** Every cap of the service in one table; one test per line. */
export const LIMITS = {
  rpcBodyBytes: 1_048_576,
  formBodyBytes: 65_536,
  uploadBodyBytes: 8_388_608,
  /** Fields beside the file of an upload, characters of their names and bytes of their values. */
  uploadFields: 16,
  uploadNameChars: 100,
  uploadFieldBytes: 65_536,
  /** Rows and columns of a file to import, and characters of one of its cells. */
  importRows: 50_000,
  importColumns: 200,
  importCellChars: 65_536,
  /** Bytes of files and of refused rows that are stored for the imports of one user. */
  importStoredBytes: 67_108_864,
  /** Bytes of an uploaded workbook when it is unpacked, and characters of its table. */
  workbookBytes: 67_108_864,
  /** Faulty rows of an import that are found one by one when a batch is refused: each takes attempts of its own. */
  importRefusedRows: 500,
  /** Rows of a dry run and problems that are stored with an import. */
  importShownRows: 200,
  urlBytes: 8_192,
  jsonDepth: JSON_DEPTH,
  jsonTokens: 20_000,
  ids: 1_000,
  createMany: 1_000,
  /** Lines of a field that one copy creates, of all its records together. */
  copiedLines: 5_000,
  records: 500,
  /** Users on one page of the user administration; the rest is found by searching. */
  people: 500,
  /** Mails that the page of operations lists. */
  mailsShown: 50,
  /** Days that an API key lasts. */
  keyDays: 365,
  /** API keys that a user who is no administrator may have at once; with more, owners lose track of them. */
  ownKeys: 50,
  offset: 1_000_000,
  answerBytes: 16_777_216,
  /** Requests of one user that a process works on at once, and that wait their turn. */
  userRequests: 8,
  userWaiting: 64,
  /** Total time of one request; PostgreSQL gives each statement 15 s. */
  requestMs: 30_000,
  /** How long a body may take to arrive. The listener of `serve` gives 30 s, and ends the connection as well. */
  bodyMs: 35_000,
  /** Jobs that one call of the tick runs. */
  tickJobs: 20,
  fields: 200,
  /** Steps of one column of an export. */
  exportSteps: 6,
  /** Characters of a heading that the caller chose for a column. */
  exportHeadingChars: 200,
  /** Rows that one record of an export takes with its lines. */
  exportLines: 20_000,
  /** Total time of one export, including the time that a slow reader makes it wait. */
  exportMs: 600_000,
  /** Rows and columns of a list as a PDF file, fields of a record's sheet, and characters of the whole. */
  pdfRows: 2_000,
  pdfColumns: 30,
  pdfFields: 100,
  pdfChars: 1_500_000,
  /** Documents that wait to be made, of one user and of all, how long, and the time for one of them. */
  pdfUserWaiting: 3,
  pdfWaiting: 16,
  pdfWaitMs: 15_000,
  pdfMs: 30_000,
  /** Waiting time and working time of a document that is made within a transaction, which holds a connection. */
  pdfHeldWaitMs: 2_000,
  pdfHeldMs: 10_000,
  /** Bytes of all files that one mail has. */
  mailAttachmentBytes: 10_485_760,
  /** Groups that one call answers at most; without a `limit` as many as `records`. */
  groups: 10_000,
  groupBy: 6,
  groupSets: 32,
  /** Measures times sets of a grouping: the statement computes each measure for every set. */
  groupMeasures: 400,
  groupJoins: 32,
  /** Many2many fields of a grouping: with each of them a record counts once per link. */
  groupLinks: 2,
  orderChars: 1_000,
  /** Leading characters of a text that it is sorted by. */
  sortedChars: 256,
  /** Records of a large table that are sorted for one page without an index, by their own column or by that of a link: 2 to 4 seconds. */
  sortedRecords: 1_000_000,
  sortedByLink: 200_000,
  /** Targets of a link that are read in the order of the sort, to look up the records that link to each. */
  sortedTargets: 100_000,
  cursorChars: 8_192,
  domainLeaves: 100,
  domainDepth: 16,
  domainValues: 1_000,
  /** Relations that all conditions of a domain follow together. */
  domainHops: 200,
  /** PostgreSQL compares a pattern at every position of a text, and checks its statement timeout only between texts. */
  likeOperandChars: 256,
  textChars: TEXT_CHARS,
  /** Characters of a stored JSON value; a field with a `size` has its own. */
  jsonChars: 65_536,
  preferenceChars: 16_384,
  /** Preferences, saved filters, export sets and dashboards of one user. */
  preferences: 200,
  filters: 200,
  exportSets: 200,
  dashboards: 50,
  /** Tiles of one dashboard. */
  tiles: 40,
  /** Pixels of one picture: a file of a few kilobytes may unpack to gigabytes. */
  picturePixels: 25_000_000,
  /** Users whose pictures are sent with a page. */
  pictures: 500,
  /** Bytes of preferences that are sent with a page; the newest come first. */
  shellPreferenceBytes: 65_536,
  /** Replaced values kept of one record. */
  revisions: 100,
  idempotencyKeyChars: 200,
  requestIdChars: 128,
  chatterBytes: 20_480,
  pinnedApps: 200,
  /** Records that a view counts with its first page, which takes 3 ms; a list asks for the exact number after that. */
  listTotal: 10_000,
  /** Cards of one column that a board loads at first. */
  columnCards: 40,
  /** Records that are tried one by one after an action on all of them was refused, or whose old values are kept to undo an action. */
  triedRecords: 200,
  /** Time to find out which of several records refuse an action, and of each statement of a trial; after that, only the first reason is given. */
  triedMs: 2_000,
  /** Characters of the token with which a caller can undo an action; an action that needs more cannot be undone. */
  undoTokenChars: 60_000,
  /** How long an action can be undone. */
  undoMs: 300_000,
  /** Models that one search of the palette looks into, and records of each that it answers. */
  foundModels: 24,
  foundRecords: 6,
  /** Sockets for live events of one process: for one session, for one user in all sessions, and in total. */
  sessionSockets: 20,
  userSockets: 100,
  sockets: 11_000,
  socketFrameBytes: 4_096,
  /** Messages that a client may send on a socket within a second. */
  socketFrames: 20,
  /** Models and records that a socket may ask for. */
  socketModels: 50,
  /** Missed events that are sent later; after more than these a client loads its screen again. */
  replayedEvents: 1_000,
  /** Limits of what is read of records before a change, to know later who could read them: rows and statements of a call, bytes of a text. */
  rememberedRows: 1_000,
  rememberedReads: 64,
  rememberedTextBytes: 1_000,
  /** Characters of those values in the events of one model and transaction. */
  rememberedChars: 131_072,
} as const
