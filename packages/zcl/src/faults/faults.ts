// Injected faults of all funnels: delays, errors, and answers that are truncated, malformed or stale.
// The trace event of a call lists the faults injected into it. Loads no library: `zcl run` uses it.
import { usageError } from '@zee/core/errors'
import { seededRandom } from '@zee/core/random'

export type Fault =
  | { kind: 'latency'; ms: number }
  | { kind: 'status'; status: number }
  | { kind: 'reset' }
  | { kind: 'delay'; ms: number }
  | { kind: 'error' }
  | { kind: AnswerFault }

/** Faults that change an answer. */
export type AnswerFault = 'truncate' | 'malformed' | 'stale'

const answerFaults: readonly string[] = ['truncate', 'malformed', 'stale'] satisfies AnswerFault[]
const httpFaults: ReadonlySet<string> = new Set(['latency', 'status', 'reset'])

/** Latencies add up, and the sum must stay within the range of a timer (24.8 days). */
const maxLatencyMs = 3_600_000
const defaultDelayMs = 1000

export interface InjectRule {
  fault: Fault
  /** Probability per call, 0 to 1. */
  probability: number
}

/** Names the faults for every funnel of an attempt: rules of `--inject`, separated by spaces. */
const injectVariable = 'ZCL_INJECT'
const injectSeedVariable = 'ZCL_INJECT_SEED'

/**
 * Parses `error:0.1`, `truncate:5%` or `delay=200ms:0.5`, or with a probability apart:
 * `latency=200ms,p=0.1`, `status=503,p=0.2` and `reset,p=0.05`, which are for HTTP.
 */
export function parseInject(text: string): InjectRule {
  const [, head = '', rate] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? []
  let fault: Fault | undefined
  let probability = rate === undefined ? 1 : parseRate(rate)
  for (const part of head.split(',')) {
    const [, key = '', value = ''] = /^\s*(\w+)(?:=(.*?))?\s*$/.exec(part) ?? []
    if (key === 'p' && rate === undefined) probability = parseProbability(value)
    else if (fault === undefined) fault = parseFault(key, value)
    else throw usageError(`'${text}' names several faults; use one --inject for each`)
  }
  if (fault === undefined) throw usageError(`'${text}' names no fault`)
  return { fault, probability }
}

/** A rule that only HTTP knows. */
export function isHttpFault({ fault }: InjectRule): boolean {
  return httpFaults.has(fault.kind)
}

/** Throws if a rule is for HTTP only. */
export function refuseHttpFaults(rules: readonly InjectRule[]): void {
  const rule = rules.find(isHttpFault)
  if (rule === undefined) return
  const known = 'truncate, malformed, stale, delay and error'
  throw usageError(`--inject ${rule.fault.kind} is for HTTP; other funnels know ${known}`)
}

export interface InjectSettings {
  rules: readonly InjectRule[]
  seed: number | undefined
}

/** The rules of the flags, or else of the environment. */
export function injectSettings(
  flags: { inject: readonly InjectRule[]; injectSeed: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
): InjectSettings {
  const fromEnvironment = (env[injectVariable] ?? '').split(/\s+/).filter((rule) => rule !== '')
  const rules = flags.inject.length > 0 ? flags.inject : fromEnvironment.map(parseInject)
  const seed = env[injectSeedVariable] ?? ''
  const fallback = /^\d{1,15}$/.test(seed) ? Number(seed) : undefined
  return { rules, seed: flags.injectSeed ?? fallback }
}

/** The rule as `--inject` takes it. */
export function injectText({ fault, probability }: InjectRule): string {
  if ('ms' in fault) return `${fault.kind}=${fault.ms}ms:${probability}`
  return `${fault.kind === 'status' ? `status=${fault.status}` : fault.kind}:${probability}`
}

/** The faults for the next call; draws one random number per rule. */
export function faultsFor(rules: readonly InjectRule[], random: () => number): Fault[] {
  return rules.filter(({ probability }) => random() < probability).map(({ fault }) => fault)
}

/** The faults of the call at `index` of an attempt: the same for the same seed, in any process. */
export function faultsAt(
  { rules, seed }: InjectSettings,
  attemptId: string,
  index: number,
): Fault[] {
  if (seed === undefined) return faultsFor(rules, Math.random)
  return faultsFor(rules, seededRandom(hashOf(`${seed} ${attemptId} ${index}`)))
}

/** A random generator for one server of an attempt. */
export function randomFor({ seed }: InjectSettings, attemptId: string): () => number {
  return seed === undefined ? Math.random : seededRandom(hashOf(`${seed} ${attemptId}`))
}

/** The variables that give the faults to every funnel of an attempt. */
export function injectVariables(rules: readonly string[], seed: number): Record<string, string> {
  if (rules.length === 0) return {}
  return { [injectVariable]: rules.join(' '), [injectSeedVariable]: String(seed) }
}

/** Parses doses in percent, such as `0,5,10,20`. */
export function parseDoses(text: string): number[] {
  const doses = text.split(',').map((word) => word.trim())
  const areNumbers = doses.every((word) => /^\d{1,3}(?:\.\d+)?%?$/.test(word))
  const values = doses.map((word) => Number.parseFloat(word))
  if (areNumbers && values.every((value) => value <= 100)) return [...new Set(values)]
  throw usageError(`'${text}' is not a list of percentages such as 0,5,10,20`)
}

/** The total delay of the faults in milliseconds. */
export function delayOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, fault) => sum + ('ms' in fault ? fault.ms : 0), 0)
}

export function answerFaultOf(faults: readonly Fault[]): AnswerFault | undefined {
  const found = faults.find(({ kind }) => answerFaults.includes(kind))
  return found?.kind as AnswerFault | undefined
}

/** The faults that leave the answer as it is. */
export function withoutAnswerFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(({ kind }) => !answerFaults.includes(kind))
}

/** The answer with its fault; `earlier` is an older answer of the same tool, if there is one. */
export function faultyAnswer<Earlier>(
  fault: AnswerFault,
  answer: string,
  earlier: Earlier | undefined,
): string | Earlier | undefined {
  if (fault === 'stale') return earlier
  if (fault === 'truncate') return answer.slice(0, Math.floor(answer.length / 2))
  return malformed(answer)
}

/** Text that no JSON parser accepts: JSON without its last character, other text after a brace. */
function malformed(answer: string): string {
  const text = answer.trimEnd()
  return /[\]}"]$/.test(text) ? text.slice(0, -1) + answer.slice(text.length) : `{${answer}`
}

/** FNV-1a: spreads seeds that differ in one digit. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return hash
}

function parseFault(key: string, value: string): Fault {
  if (key === 'latency') return { kind: 'latency', ms: parseMilliseconds(value) }
  if (key === 'delay') {
    return { kind: 'delay', ms: value === '' ? defaultDelayMs : parseMilliseconds(value) }
  }
  if (key === 'status' && /^[1-5]\d\d$/.test(value) && Number(value) >= 200) {
    return { kind: 'status', status: Number(value) }
  }
  if (value === '' && answerFaults.includes(key)) return { kind: key as AnswerFault }
  if (value === '' && (key === 'reset' || key === 'error')) return { kind: key }
  const known = 'truncate, malformed, stale, delay[=<time>] or error, with :<rate>'
  const http = 'or for HTTP latency=<time>, status=<200 to 599> or reset, with p=<0 to 1>'
  throw usageError(`a fault is ${known}, ${http}`)
}

function parseMilliseconds(text: string): number {
  const found = /^(\d{1,7}(?:\.\d+)?)(ms|s)?$/.exec(text)
  const ms = Number(found?.[1]) * (found?.[2] === 's' ? 1000 : 1)
  if (ms <= maxLatencyMs) return ms
  throw usageError(`'${text}' is not a time like 200ms or 1.5s, of at most an hour`)
}

/** A share (0.05) or a percentage (5%). */
function parseRate(text: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1]
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100
  return parseProbability(text)
}

function parseProbability(text: string): number {
  const value = /^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw usageError(`the rate '${text}' is not a number from 0 to 1`)
}
