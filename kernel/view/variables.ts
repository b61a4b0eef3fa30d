import { ruleVariables } from '../access/rules.ts'
import { bindVariables, type Variables } from '../domain/bind.ts'
import { parseDomainText } from '../domain/literal.ts'
import type { Env } from '../env.ts'
import type { WireDomain } from './wire.ts'

/** The variables of domains in actions and views: those of rules, and `uid`. */
export const viewVariables = (env: Env): Variables => new Map([...ruleVariables(env), ['uid', env.user.id]])

/** The text of a domain as JSON, with the user's values in place of names. */
export const bindDomainText = (env: Env, text: string): WireDomain =>
  bindVariables(parseDomainText(text), viewVariables(env))
