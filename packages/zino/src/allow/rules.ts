// The decisions about capabilities, as pure functions. A refusal is a text that names its rule.
import type { Allow } from './read-allow.ts'

type RuleName = keyof Allow

export function ruleTag(rule: RuleName): string {
  return `[allow.${rule}]`
}

export function refusalOf(rule: RuleName, reason: string): string {
  return `${ruleTag(rule)} ${reason}`
}

/** `names` are all names of one tool; one of them must be permitted. */
export function refusedTool(
  allows: readonly Allow[],
  names: readonly string[],
): string | undefined {
  const isRefused = allows.some(
    ({ tools }) => tools !== undefined && !names.some((name) => isNamed(tools, name)),
  )
  if (!isRefused) return undefined
  return refusalOf('tools', `this turn may not use ${names[0] ?? 'this tool'}`)
}

export function refusedTime(allows: readonly Allow[], now: Date): string | undefined {
  const end = deadlineOf(allows)
  if (end === undefined || now.getTime() < end) return undefined
  return refusalOf('until', `this turn was allowed until ${new Date(end).toISOString()}`)
}

export function refusedTokens(allows: readonly Allow[], used: number): string | undefined {
  const limit = tokensOf(allows)
  if (limit === undefined || used < limit) return undefined
  return refusalOf('tokens', `this turn has used ${used} of ${limit} tokens`)
}

/** The earliest end in milliseconds since 1970; undefined without one. An unreadable end has passed. */
export function deadlineOf(allows: readonly Allow[]): number | undefined {
  const ends = allows.flatMap(({ until }) => (until === undefined ? [] : [Date.parse(until)]))
  if (ends.length === 0) return undefined
  return Math.min(...ends.map((end) => (Number.isNaN(end) ? 0 : end)))
}

/** The lowest limit. */
export function tokensOf(allows: readonly Allow[]): number | undefined {
  const limits = allows.flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]))
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** The paths that every capability permits; undefined without a limit. */
export function pathsOf(allows: readonly Allow[]): string[] | undefined {
  const lists = allows.flatMap(({ paths }) => (paths === undefined ? [] : [paths]))
  if (lists.length === 0) return undefined
  const common = lists.reduce((some, others) =>
    some.flatMap((path) => others.flatMap((other) => overlap(path, other))),
  )
  return outermost(common)
}

/** The lists of hosts, each of which must permit a connection; undefined when all are reachable. */
export function hostsOf(allows: readonly Allow[]): (readonly string[])[] | undefined {
  const lists = allows.flatMap(({ hosts }) => (hosts === undefined ? [] : [hosts]))
  const limits = lists.filter((hosts) => !hosts.includes('*'))
  return limits.length === 0 ? undefined : limits
}

/** `host` without brackets. */
export function isHostAllowed(
  lists: readonly (readonly string[])[],
  host: string,
  port: number,
): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return lists.every((patterns) => patterns.some((pattern) => matchesHost(pattern, name, port)))
}

function matchesHost(pattern: string, name: string, port: number): boolean {
  const [, bracketed, plain, allowedPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(pattern) ?? []
  if (allowedPort !== undefined && Number(allowedPort) !== port) return false
  const wanted = bracketed ?? plain ?? ''
  if (wanted.startsWith('*.'))
    return name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1
  return wanted === name
}

function isNamed(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  )
}

function overlap(path: string, other: string): string[] {
  if (isBelow(path, other)) return [path]
  return isBelow(other, path) ? [other] : []
}

/**
 * Without paths below other ones: a script could replace an inner folder, which it may change, by a link,
 * and the next script would be granted the target.
 */
function outermost(paths: readonly string[]): string[] {
  const distinct = [...new Set(paths)]
  return distinct.filter(
    (path) => !distinct.some((other) => other !== path && isBelow(path, other)),
  )
}

/** Whether `path` is `folder` or lies below it; both are absolute and normalized. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`)
}
