import type { ErrorCode } from './errors.ts'
import { FILE_REASONS } from './file-reasons.ts'
import { QUERY_REASONS } from './query-reasons.ts'

/** The documentation of a reason: its meaning, an example of the message, and the details that come with it. */
export interface ReasonNote {
  readonly meaning: string
  readonly example: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Reasons by the error code they come with. */
export type ReasonTable = Readonly<Partial<Record<ErrorCode, Readonly<Record<string, ReasonNote>>>>>

/**
 * Why the service refuses a call: `details.reason` of every error is one of these, or one that an addon declares. Slugs are
 * part of the interface: they are added, never renamed, and each comes with one code.
 */
export const REASONS = {
  BAD_REQUEST: {
    request_invalid: {
      meaning: 'What came cannot be read as a request of HTTP/1.1.',
      example: 'This is not a valid HTTP request.',
    },
    body_not_json: {
      meaning: 'The body is not JSON in UTF-8, or ended early.',
      example: 'The body is not valid JSON.',
    },
    body_too_slow: { meaning: 'The body came too slowly.', example: 'The body did not arrive within 35 seconds.' },
    body_forbidden: {
      meaning: 'The body holds a NUL character, half of a surrogate pair or a key such as `__proto__`.',
      example: 'The body contains a NUL character.',
    },
    multipart_invalid: {
      meaning: 'A form with a file is broken, has too many or too long parts, or ended early.',
      example: 'The form must have one file, in the field file.',
    },
    input_invalid: {
      meaning: 'An argument, a parameter or the envelope has the wrong shape or too many entries; `path` says where.',
      example: 'args[0]: Must be a list.',
      details: { path: 'args[0]' },
    },
    header_invalid: {
      meaning: 'A header has a value that is not allowed.',
      example: 'Idempotency-Key must be 1 to 200 visible ASCII characters.',
    },
    url_invalid: { meaning: 'The URL cannot be read.', example: 'The URL is not valid.' },
    limit_exceeded: {
      meaning: 'The call asks for more at once than the service takes: conditions, levels, groups, lines, characters.',
      example: 'Domain[100]: more than 100 conditions.',
      details: { position: [100] },
    },
    field_unknown: {
      meaning: 'The model has no field of this name.',
      example: 'core.partner has no field colour.',
      details: { field: 'colour' },
    },
    field_unsuitable: {
      meaning: 'A field is named where fields of its kind cannot be used.',
      example: 'core.partner.name is no many2one a path could follow.',
    },
    ...QUERY_REASONS,
  },
  UNAUTHORIZED: {
    credential_missing: {
      meaning: 'No API key was sent, and there is no session, or it has ended.',
      example: 'Sign in or send a valid API key.',
    },
    key_invalid: {
      meaning: 'An API key was sent, and it is unknown, revoked or expired, or its user is archived.',
      example: 'The API key is not valid: it is unknown, revoked or expired.',
    },
    key_not_taken: {
      meaning: 'An API key was sent to an address that takes only sessions.',
      example: 'This address takes no API key. Sign in instead.',
    },
    signature_invalid: {
      meaning: 'The header X-Signature is missing, or is not the signature of this address.',
      example: 'The signature is missing or not valid.',
    },
    login_failed: { meaning: 'Login or password is wrong.', example: 'Login or password is not right.' },
  },
  ACCESS_DENIED: {
    model_access: {
      meaning: 'No group of the user may do this with records of the model.',
      example: 'You are not allowed to delete Contact.',
    },
    model_read_only: {
      meaning: 'Nobody changes records of the model through the API.',
      example: 'Records of Log Entry can only be read.',
    },
    field_access: {
      meaning: 'The user may not use the field: it is named in a domain, an order, a group or values.',
      example: 'You are not allowed to use the field salary.',
    },
    rule_hides_record: {
      meaning: 'The record exists, but an access rule hides it from the user for this operation.',
      example: 'A rule keeps you from Contact 7.',
      details: { model: 'core.partner', id: 7 },
    },
    rule_refuses_values: {
      meaning: 'The record would end up as an access rule does not let the user leave it.',
      example: 'A rule does not let you leave Contact like this.',
      details: { model: 'core.partner' },
    },
    company_access: {
      meaning: 'The user does not belong to the company.',
      example: 'You do not belong to this company.',
    },
    key_scope: {
      meaning: 'The scope of the API key does not cover the call.',
      example: 'The scope of this API key does not cover write of sale.order.',
    },
    group_required: {
      meaning: 'Only members of certain groups may do this, mostly administrators.',
      example: 'Only an administrator may change modules.',
    },
    confirm_password: {
      meaning: 'The step asks for the password again; `confirm` is where to send it.',
      example: 'Confirm with your password that it is you, then try again.',
      details: { confirm: '/web/confirm' },
    },
    password_wrong: { meaning: 'The password given to confirm is wrong.', example: 'The password is not right.' },
    setup_token_wrong: {
      meaning: 'The token of the first set-up is wrong.',
      example: 'The set-up token is not right. It is on the console of the service, or in its setting SETUP_TOKEN.',
    },
    not_permitted: {
      meaning: 'A module does not let this user do this.',
      example: 'You cannot delete your own account.',
    },
  },
  CSRF: {
    cross_site: {
      meaning: 'The request comes from a page of another site.',
      example: 'The request comes from another site.',
    },
    csrf_token: {
      meaning: 'A call with a session lacks its CSRF token, or the token is not valid.',
      example: 'The CSRF token is missing or not valid. Load the page anew and try again.',
    },
  },
  NOT_FOUND: {
    record_not_found: {
      meaning: 'No record has this id, or none that answers to this name.',
      example: 'Contact 7 does not exist.',
      details: { model: 'core.partner', id: 7 },
    },
    model_unknown: {
      meaning: 'There is no such model, or the API does not offer it.',
      example: 'There is no model core.partnr.',
    },
    setting_unknown: { meaning: 'The app declares no such setting.', example: 'There is no setting sale.colour.' },
    document_unknown: { meaning: 'No addon declares this document.', example: 'sale.order has no document bill.' },
    action_unknown: {
      meaning: 'The model, or the menu, has no such action.',
      example: 'sale.order has no action action_ship.',
    },
    address_unknown: { meaning: 'Nothing is at this address.', example: 'There is nothing at this address.' },
    module_unknown: { meaning: 'There is no such module.', example: 'There is no module stock.' },
    sequence_unknown: {
      meaning: 'Nobody has set up the number sequence.',
      example: 'There is no number sequence for sale.order.',
    },
    job_unknown: { meaning: 'There is no such scheduled job.', example: 'There is no job base.tidy.' },
    link_expired: {
      meaning: 'A link that works once was used or is too old.',
      example: 'This link has been used or is too old.',
    },
    not_offered: { meaning: 'This host or installation lacks the part.', example: 'This host keeps no figures.' },
  },
  METHOD_NOT_ALLOWED: {
    method_unknown: {
      meaning: 'There is no such RPC method; `methods` has those there are.',
      example: 'There is no such method.',
      details: { methods: ['search', 'read', 'write'] },
    },
    http_method: {
      meaning: 'The address does not serve the HTTP method; the header `Allow` has those it serves.',
      example: 'This address does not serve the method.',
    },
  },
  REQUEST_TIMEOUT: {
    request_too_slow: {
      meaning: 'The request came too slowly.',
      example: 'The request did not arrive in time.',
    },
  },
  CONFLICT: {
    value_taken: {
      meaning: 'Another record already has the value, which must be unique.',
      example: 'Another record already has this Name.',
      details: { fields: { name: 'Another record already has this Name.' } },
    },
    reference_broken: {
      meaning: 'A value refers to a record that does not exist, or others still refer to one that would go.',
      example: 'Contact: Country must refer to an existing record.',
      details: { fields: { country_id: 'Contact: Country must refer to an existing record.' } },
    },
    import_closed: {
      meaning: 'An import is in a state in which it can no longer be confirmed, cancelled or undone.',
      example: 'This import was cancelled.',
    },
    record_in_use: {
      meaning: 'The record cannot be deleted because records of `model` refer to it.',
      example: 'Sales Order still refers to this Contact.',
      details: { model: 'sale.order' },
    },
    edit_conflict: {
      meaning:
        'Somebody changed the same fields since `base_version`; `records` or `lines` has all three values of each.',
      example: 'Somebody else has changed the same fields.',
      details: { records: { 7: { version: 3, fields: { name: { base: 'A', mine: 'B', theirs: 'C' } } } } },
    },
    version_unknown: {
      meaning: 'The record never had this version, or its history does not reach back so far.',
      example: 'Contact 7 never had version 12.',
      details: { id: 7, version: 3 },
    },
    concurrent_change: {
      meaning: 'Other transactions kept changing the same records; nothing was saved and the call may be sent again.',
      example: 'Somebody else is changing the same records. Try again.',
    },
    idempotency_key_reused: {
      meaning: 'The Idempotency-Key belongs to a call with another body.',
      example: 'This Idempotency-Key was used for another call.',
    },
    business_rule: {
      meaning: 'The state of the records does not allow it, as a module sees it.',
      example: 'At least one active user must remain an administrator.',
    },
    module_state: {
      meaning: 'The module is installed already, not installed, needed by others, or does not fit.',
      example: 'Module product is needed by sale.',
      details: { dependents: ['sale'] },
    },
    schema_refused: {
      meaning: 'The tables cannot be changed without losing data, or rows break a new constraint.',
      example:
        'The schema cannot be changed:\nsale_order.note: drop would lose data in up to 12 rows; allow that explicitly.',
      details: { problems: ['sale_order.note: drop would lose data in up to 12 rows; allow that explicitly.'] },
    },
    database_state: {
      meaning: 'The database is set up already, or does not fit this version of the program.',
      example: 'This database has been set up already.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    body_too_large: {
      meaning: 'The body, or a text in it, is larger than `limit` bytes.',
      example: 'The body is larger than 1048576 bytes.',
      details: { limit: 1048576 },
    },
  },
  UNSUPPORTED_MEDIA: {
    media_type: {
      meaning: 'The body is of another kind than the address takes.',
      example: 'The body must be application/json.',
    },
    charset: { meaning: 'The body is not declared as UTF-8.', example: 'The body must be UTF-8.' },
    content_encoding: { meaning: 'The body is compressed.', example: 'Compressed bodies are not accepted.' },
  },
  MISDIRECTED: {
    host_unknown: {
      meaning: 'The request is for a host with another name than the service has.',
      example: 'This service has another name.',
    },
  },
  VALIDATION: {
    value_invalid: {
      meaning: 'Values do not fit their fields, or the model has no such field; `fields` has a sentence for each.',
      example: 'Must be a whole number.',
      details: { fields: { color: 'Must be a whole number.' } },
    },
    value_required: {
      meaning: 'Required fields have no value.',
      example: 'Name is required.',
      details: { fields: { name: 'Name is required.' } },
    },
    field_read_only: {
      meaning: 'Values are sent for fields that callers do not set.',
      example: 'Is read-only.',
      details: { fields: { amount_total: 'Is read-only.' } },
    },
    ...FILE_REASONS,
    check_failed: {
      meaning: 'The values break a rule of the model.',
      example: 'A task ends after it starts.',
      details: { fields: { date_end: 'A task ends after it starts.' } },
    },
    line_not_linked: {
      meaning: 'A command names a line that does not belong to the record.',
      example: 'Record 5 is not linked to this one.',
      details: { fields: { line_ids: 'Record 5 is not linked to this one.' } },
    },
    company_mismatch: {
      meaning: 'A record would refer to one of another company.',
      example: 'Belongs to another company.',
      details: { fields: { partner_id: 'Belongs to another company.' } },
    },
    tree_loop: {
      meaning: 'A record would be its own ancestor.',
      example: 'A record cannot lie below itself.',
      details: { fields: { parent_id: 'A record cannot lie below itself.' } },
    },
    data_invalid: {
      meaning: 'Data files of a module are not valid; `problems` has file, line and sentence of each mistake.',
      example: 'The data of module sale is not valid:\nsale/data/stages.csv:3: There is no field colour.',
      details: { problems: [{ file: 'data/stages.csv', line: 3, reason: 'There is no field colour.' }] },
    },
    views_invalid: {
      meaning: 'Views of a module are not valid; `problems` has a sentence for each mistake.',
      example: 'Views are not valid:\nsale/views/order.xml:14: view sale.order_form: There is no field colour.',
      details: { problems: ['sale/views/order.xml:14: view sale.order_form: There is no field colour.'] },
    },
  },
  RATE_LIMITED: {
    rate_limit: {
      meaning: 'Too many requests of this key, user, address or account; `retry_after` is in seconds.',
      example: 'Too many requests. Try again later.',
      details: { retry_after: 12 },
    },
  },
  HEADERS_TOO_LARGE: {
    head_too_large: {
      meaning: 'The headers are larger than `limit` bytes.',
      example: 'The headers are larger than 16384 bytes.',
      details: { limit: 16384 },
    },
  },
  INTERNAL: {
    unexpected: {
      meaning: 'A fault of the service; its log has more under `request_id`.',
      example: 'Something went wrong on our side. The log has the details under this request id.',
      details: { request_id: '0193e2c4' },
    },
  },
  UNAVAILABLE: {
    database_away: {
      meaning: 'The database does not answer.',
      example: 'The database is not available right now. Try again in a moment.',
    },
    capacity_exhausted: {
      meaning: 'The database is out of storage, memory or connections.',
      example: 'The service is out of storage or capacity. Try again later.',
    },
    busy: {
      meaning: 'Too many requests wait already; nothing was done.',
      example: 'The service is busy. Try again in a moment.',
    },
    timed_out: {
      meaning: 'The call took too long and was undone.',
      example: 'The request took too long and was stopped.',
    },
    outcome_unknown: {
      meaning: 'The connection broke during the commit: look whether the change is there before sending it again.',
      example: 'The connection broke while saving; whether the change was saved is unknown.',
    },
    not_ready: {
      meaning: 'The service is starting, stopping or not set up yet.',
      example: 'The service is shutting down.',
    },
    host_lacks: {
      meaning: 'This host cannot do this; another way can.',
      example: 'Modules are not changed on this host. Use the command line.',
    },
  },
} as const satisfies Readonly<Record<ErrorCode, Readonly<Record<string, ReasonNote>>>>

/** A reason as documents list it. */
export interface ListedReason extends ReasonNote {
  readonly reason: string
  readonly code: ErrorCode
}

export const listReasons = (table: ReasonTable, prefix = ''): readonly ListedReason[] =>
  Object.entries(table).flatMap(([code, notes]) =>
    // The keys of a reason table are codes.
    Object.entries(notes).map(([slug, note]) => ({ ...note, reason: prefix + slug, code: code as ErrorCode })),
  )

/**
 * Reason tables of addons by their names, known to the type checker by declaration merging:
 * `declare module '#kernel' { interface AddonReasons { sale: typeof reasons } }`.
 */
export interface AddonReasons {}

type AddonName = keyof AddonReasons & string

/** `sale.order_locked`: an addon's reasons start with its name. */
type AddonReasonOf<C extends ErrorCode> = {
  [A in AddonName]: AddonReasons[A] extends Readonly<Record<C, infer R>> ? `${A}.${keyof R & string}` : never
}[AddonName]

/** The reasons that come with an error code. */
export type ReasonOf<C extends ErrorCode> = (keyof (typeof REASONS)[C] & string) | AddonReasonOf<C>

export type Reason = { [C in ErrorCode]: ReasonOf<C> }[ErrorCode]
