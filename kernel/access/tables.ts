/** Operations that access lines and record rules cover. */
export type Operation = 'read' | 'write' | 'create' | 'unlink'

export interface AccessLine {
  readonly id: number
  readonly model: string
  /** Null: every internal user. */
  readonly groupId: number | null
  readonly allows: Readonly<Record<Operation, boolean>>
}

export interface RecordRule {
  readonly id: number
  readonly name: string
  readonly model: string
  /** Empty: a global rule, which applies to everyone. */
  readonly groupIds: readonly number[]
  readonly applies: Readonly<Record<Operation, boolean>>
  /** Domain in wire form whose values may be variables (`{ var: 'user.id' }`), see `rules.ts`. */
  readonly domain: readonly unknown[]
}

/** What record rules read of a model. */
export interface RuleData {
  readonly fields: Set<string>
  /** A new record can change who may read others, because a rule follows a one2many to it. */
  gainsCount: boolean
}

/** Groups, access lines and rules of one access epoch, as loaded from the database; frozen. */
export interface AccessTables {
  readonly epoch: number
  readonly groupIdByXmlid: ReadonlyMap<string, number>
  /** A group's id → itself and every group it implies. */
  readonly impliedGroups: ReadonlyMap<number, ReadonlySet<number>>
  readonly lines: ReadonlyMap<string, readonly AccessLine[]>
  readonly rules: ReadonlyMap<string, readonly RecordRule[]>
  /** Model → what the rules read of it; computed when first needed (`rights-change.ts`). */
  readonly ruleData: { known?: ReadonlyMap<string, RuleData> }
}
