// Takes secrets out of what is stored or logged (the zcl contract, redaction): named rules that run
// in linear time, the values of secret-looking environment variables, and a user's own rules.
import { cutToBytes } from '../text/text.ts'
import { assignmentAnchor, findAssignedSecrets } from './assignments.ts'
import { compileExtraRules } from './extra-rules.ts'
import type { ExtraRule } from './extra-rules.ts'
import { findBearerTokens, findUrlCredentials, headerAnchor } from './headers.ts'
import { redactValue } from './json-value.ts'
import { literalSearch } from './literals.ts'
import { lengthBeforeOpenSecret } from './open-tail.ts'
import { labelOf, redactionMarks, replaceSpans } from './spans.ts'
import type { Finder, Label, Span } from './spans.ts'
import { holdsPrivateKey, tokenAnchor, tokenFinders } from './tokens.ts'

export type { ExtraRule } from './extra-rules.ts'

export interface RedactorOptions {
  /** Values of variables with a secret-looking name are replaced wherever they occur. */
  environment?: Readonly<Record<string, string | undefined>>
  extraRules?: readonly ExtraRule[]
}

export interface Redacted {
  text: string
  /** Names of the rules whose finds were replaced, sorted, each once. */
  applied: string[]
}

export interface RedactedCut extends Redacted {
  truncated: boolean
  /** UTF-8 size of the redacted text before the cut. */
  bytes: number
}

export interface CutOptions {
  /** The text goes on beyond what was captured: what may be the beginning of a secret goes too. */
  incomplete?: boolean
}

export interface Redactor {
  text(input: string): Redacted
  /** Redacts every string and key of a JSON value; string values under a secret name whole. */
  value(json: unknown): { value: unknown; applied: string[] }
  /** Redacts first, then cuts on a character boundary, never inside a `[REDACTED:NAME]`. */
  cut(text: string, maxBytes: number, options?: CutOptions): RedactedCut
  /** The first built-in rule of those that hardly err which matches: for checks of stored text. */
  findSecret(text: string): string | undefined
}

/**
 * What to capture beyond a cap before `cut(text, cap, { incomplete: true })`, so that hardly any
 * secret that straddles the cap is cut off before it can be told.
 */
export const redactionMargin = 8 * 1024

interface Rule {
  label: Label
  find: Finder
}

const tokenRules: readonly Rule[] = [...tokenFinders].map(([name, find], rank) => ({
  label: labelOf(name, rank, true),
  find,
}))
const ranks = { extra: 20, bearer: 30, url: 31, assigned: 32 }
const bearerRule: Rule = {
  label: labelOf('bearer_token', ranks.bearer, false),
  find: findBearerTokens,
}
const urlRule: Rule = {
  label: labelOf('url_credentials', ranks.url, false),
  find: findUrlCredentials,
}
const assignedRule: Rule = {
  label: labelOf('env_secret', ranks.assigned, false),
  find: findAssignedSecrets,
}

/** A replacement can move a boundary, rarely twice; text that never settles is not pursued. */
const mostPasses = 6

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const literals = literalSearch(options.environment ?? {})
  const extraRules = compileExtraRules(options.extraRules ?? [], ranks.extra)
  const always: Rule[] = literals ? [{ label: assignedRule.label, find: literals.find }] : []

  /** Repeated until nothing is found, so that a second redaction changes nothing. */
  const redact = (input: string, applied: Set<string>, whole = false): string => {
    let text = input
    let rules: readonly Rule[] = [...always, ...extraRules]
    for (let pass = 0; pass < mostPasses; pass++) {
      const spans = collect(text, rules)
      if (whole && pass === 0) spans.push({ start: 0, end: text.length, label: assignedRule.label })
      if (spans.length === 0) break
      const next = replaceSpans(text, spans, applied)
      if (next === text) break
      text = next
      // A user's replacement may match its own rule again: once is enough.
      rules = always
    }
    return text
  }

  const settle = (text: string): string => {
    const reachesEnd = collect(text, [...always, ...extraRules]).some(
      (span) => span.end === text.length,
    )
    if (reachesEnd) return text
    return text.slice(0, lengthBeforeOpenSecret(text, literals, extraRules.length > 0))
  }

  return {
    text: (input) => withApplied((applied) => ({ text: redact(input, applied) })),
    value: (json) =>
      withApplied((applied) => ({
        value: redactValue(json, (text, whole) => redact(text, applied, whole)),
      })),
    cut: (input, maxBytes, { incomplete = false } = {}) =>
      withApplied((applied) => {
        const text = redact(incomplete ? settle(input) : input, applied)
        const cut = cutBesideMarks(text, maxBytes)
        return { ...cut, truncated: cut.truncated || incomplete }
      }),
    findSecret,
  }
}

function withApplied<T extends object>(
  work: (applied: Set<string>) => T,
): T & { applied: string[] } {
  const applied = new Set<string>()
  return { ...work(applied), applied: [...applied].sort() }
}

function collect(text: string, rules: readonly Rule[]): Span[] {
  const spans: Span[] = []
  for (const { label, find } of [...rules, ...builtInRulesFor(text)]) {
    for (const [start, end] of find(text)) spans.push({ start, end, label })
  }
  return spans
}

/** `s://u:p@`: nothing shorter is found by a built-in rule. */
const shortestFind = 8

/** Most texts hold none of the words that the rules start from. */
function* builtInRulesFor(text: string): Iterable<Rule> {
  if (text.length < shortestFind) return
  if (tokenAnchor.test(text)) yield* tokenRules
  if (headerAnchor.test(text)) yield* [bearerRule, urlRule]
  if (assignmentAnchor.test(text)) yield assignedRule
}

/** A mark that does not fit is left out whole: half of one could be taken for a value. */
function cutBesideMarks(
  text: string,
  maxBytes: number,
): { text: string; truncated: boolean; bytes: number } {
  const cut = cutToBytes(text, maxBytes)
  if (!cut.truncated) return cut
  const end = cut.text.length
  const split = redactionMarks(text).find(([start, markEnd]) => start < end && markEnd > end)
  return split === undefined ? cut : { ...cut, text: cut.text.slice(0, split[0]) }
}

function findSecret(text: string): string | undefined {
  if (!tokenAnchor.test(text)) return undefined
  for (const { label, find } of tokenRules) {
    if (label.name === 'private_key') {
      if (holdsPrivateKey(text)) return label.name
      continue
    }
    for (const _ of find(text)) return label.name
  }
  return undefined
}
