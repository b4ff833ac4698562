// Permission rules: `tool` or `tool:pattern`. The pattern of `bash` is a command, that of the file tools
// a path relative to the working folder, absolute, or below `~/`.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../files/files.ts'
import { matchesCommand, matchesPath } from './wildcard.ts'

export interface Rule {
  /** As the user wrote it. */
  text: string
  /** The name of the tool; `*` matches any characters. */
  tool: string
  /** Undefined for every call of the tool. */
  pattern: string | undefined
  /** The pattern is compared as it is, for a choice of the user in this session. */
  isLiteral?: boolean
}

export interface Places {
  /** The canonical working folder. */
  root: string
  home: string | undefined
}

export function parseRule(text: string): Rule {
  const colon = text.indexOf(':')
  if (colon === -1) return { text, tool: text.trim(), pattern: undefined }
  return { text, tool: text.slice(0, colon).trim(), pattern: text.slice(colon + 1).trim() }
}

export function appliesTo({ tool }: Rule, name: string): boolean {
  return matchesCommand(tool, name)
}

/** Whether the rule names this command line. */
export function matchesText({ pattern, isLiteral }: Rule, text: string): boolean {
  if (pattern === undefined) return true
  return isLiteral === true ? pattern === text : matchesCommand(pattern, text)
}

/** Whether the rule covers a path; a relative pattern covers only paths below the working folder. */
export function coversPath(rule: Rule, target: string, { root, home }: Places): boolean {
  const { pattern, isLiteral } = rule
  if (pattern === undefined) return true
  if (isLiteral === true) return pattern === target
  const absolute =
    home !== undefined && pattern.startsWith('~/') ? path.join(home, pattern.slice(2)) : pattern
  if (path.isAbsolute(absolute)) return matchesPath(absolute, target)
  if (!isInside(root, target)) return false
  return matchesPath(pattern.replace(/^(\.\/)+/, ''), path.relative(root, target))
}

/** Same, but a bare `*` or `**` means every path: for rules that restrict and for hooks. */
export function touchesPath(rule: Rule, target: string, places: Places): boolean {
  return rule.pattern === '*' || rule.pattern === '**' || coversPath(rule, target, places)
}

/** The path by name, and the path behind its links; the end need not exist. */
export function pathsOf(file: string, root: string): { named: string; real: string } {
  const named = path.resolve(root, file)
  return { named, real: realPathOf(named) }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const parent = path.dirname(file)
    return parent === file ? file : path.join(realPathOf(parent), path.basename(file))
  }
}
