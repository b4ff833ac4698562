// Removes secrets from text and JSON before it is stored or logged: named linear-time rules, the values
// of secret-looking environment variables, and rules of the user.
import { cutToBytes } from '../text/text.ts'
import { findAssignedSecrets } from './assignments.ts'
import { findContextSecrets } from './contexts.ts'
import { compileExtraRules } from './extra-rules.ts'
import type { ExtraRule } from './extra-rules.ts'
import { findBearerTokens, findUrlCredentials, headerAnchor } from './headers.ts'
import { redactValue } from './json-value.ts'
import type { LiteralSearch } from './literals.ts'
import { literalSearch } from './literals.ts'
import { lengthBeforeOpenSecret } from './open-tail.ts'
import { findPairedSecrets } from './pairs.ts'
import { holdsSecretWord } from './secret-names.ts'
import { labelOf, redactionMarks, replaceSpans } from './spans.ts'
import type { Finder, Label, Replace, Span } from './spans.ts'
import { findTokenRule, findTokens } from './tokens/tokens.ts'

export interface RedactorOptions {
  /** Values of variables with a secret-looking name are replaced everywhere. */
  environment?: Readonly<Record<string, string | undefined>>
  extraRules?: readonly ExtraRule[]
}

export interface Redacted {
  text: string
  /** Names of the rules that replaced something, sorted, each once. */
  applied: string[]
}

export interface RedactedCut extends Redacted {
  truncated: boolean
  /** UTF-8 size of the redacted text before the cut. */
  bytes: number
}

export interface CutOptions {
  /** The text continues beyond the capture: an incomplete secret at its end is removed, too. */
  incomplete?: boolean
}

export interface Redactor {
  text(input: string): Redacted
  /** Redacts every string and key of a JSON value, and complete strings under a secret name. */
  value(json: unknown): { value: unknown; applied: string[] }
  /** Redacts, then cuts on a character boundary, never inside a `[REDACTED:NAME]`. */
  cut(text: string, maxBytes: number, options?: CutOptions): RedactedCut
  /** The first precise built-in rule that matches, for checks of stored text. */
  findSecret(text: string): string | undefined
}

/**
 * Bytes to capture beyond a cap before `cut(text, cap, { incomplete: true })`, so that nearly every
 * secret that straddles the cap is long enough to be recognized.
 */
export const redactionMargin = 8 * 1024

interface Rule {
  label: Label
  find: Finder
}

const ranks = { extra: 20, bearer: 30, url: 31, assigned: 32, context: 33 }
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
const pairRule: Rule = { label: assignedRule.label, find: findPairedSecrets }
const contextRule: Rule = {
  label: labelOf('credential', ranks.context, false),
  find: findContextSecrets,
}

/** A replacement can create a new match, rarely twice. The limit bounds text that never settles. */
const maxPasses = 6

export function createRedactor(options: RedactorOptions = {}): Redactor {
  return buildRedactor(options, {})
}

interface Replacing {
  /** Instead of the mark of the rule. */
  replace?: Replace
  /** Further values to replace; called for every text. */
  literals?: () => LiteralSearch | undefined
}

export function buildRedactor(
  options: RedactorOptions,
  { replace, literals: more }: Replacing,
): Redactor {
  const literals = literalSearch(options.environment ?? {})
  const extraRules = compileExtraRules(options.extraRules ?? [], ranks.extra)
  const fixedRules: Rule[] = literals ? [{ label: assignedRule.label, find: literals.find }] : []
  const literalRulesNow = (): Rule[] => {
    const search = more?.()
    return search === undefined
      ? fixedRules
      : [...fixedRules, { label: assignedRule.label, find: search.find }]
  }

  /** Repeats until nothing matches, so that redaction is idempotent. */
  const redact = (input: string, applied: Set<string>, isSecret = false): string => {
    let text = input
    const literalRules = literalRulesNow()
    let rules: readonly Rule[] = [...literalRules, ...extraRules]
    for (let pass = 0; pass < maxPasses; pass++) {
      const spans = collectSpans(text, rules)
      if (isSecret && pass === 0) {
        spans.push({ start: 0, end: text.length, label: assignedRule.label })
      }
      if (spans.length === 0) break
      const next = replaceSpans(text, spans, applied, replace)
      if (next === text) break
      text = next
      // A user's replacement may match its own rule, so these rules run once.
      rules = literalRules
    }
    return text
  }

  const withoutOpenSecret = (text: string): string => {
    const reachesEnd = collectSpans(text, [...literalRulesNow(), ...extraRules]).some(
      (span) => span.end === text.length,
    )
    if (reachesEnd) return text
    return text.slice(0, lengthBeforeOpenSecret(text, literals, extraRules.length > 0))
  }

  return {
    text: (input) => withApplied((applied) => ({ text: redact(input, applied) })),
    value: (json) =>
      withApplied((applied) => ({
        value: redactValue(json, (text, isSecret) => redact(text, applied, isSecret)),
      })),
    cut: (input, maxBytes, { incomplete = false } = {}) =>
      withApplied((applied) => {
        const text = redact(incomplete ? withoutOpenSecret(input) : input, applied)
        const cut = cutOutsideMarks(text, maxBytes)
        return { ...cut, truncated: cut.truncated || incomplete }
      }),
    findSecret: findTokenRule,
  }
}

function withApplied<T extends object>(
  work: (applied: Set<string>) => T,
): T & { applied: string[] } {
  const applied = new Set<string>()
  return { ...work(applied), applied: [...applied].sort() }
}

function collectSpans(text: string, rules: readonly Rule[]): Span[] {
  const spans: Span[] = []
  if (text.length >= minMatchLength) for (const span of findTokens(text)) spans.push(span)
  for (const { label, find } of [...rules, ...builtInRulesFor(text)]) {
    for (const [start, end] of find(text)) spans.push({ start, end, label })
  }
  return spans
}

/** Length of `s://:p@`, the shortest match of a built-in rule. */
const minMatchLength = 7

/** Prefilter: most texts contain none of the anchors. */
function* builtInRulesFor(text: string): Iterable<Rule> {
  if (text.length < minMatchLength) return
  if (headerAnchor.test(text)) yield* [bearerRule, urlRule]
  if (holdsSecretWord(text)) yield* [assignedRule, pairRule]
  yield contextRule
}

/** Drops a mark that does not fit: half a mark looks like a value. */
function cutOutsideMarks(
  text: string,
  maxBytes: number,
): { text: string; truncated: boolean; bytes: number } {
  const cut = cutToBytes(text, maxBytes)
  if (!cut.truncated) return cut
  const end = cut.text.length
  const split = redactionMarks(text).find(([start, markEnd]) => start < end && markEnd > end)
  return split === undefined ? cut : { ...cut, text: cut.text.slice(0, split[0]) }
}
