// Applies rules to the command of `bash`. An allow rule must match every part; a deny rule applies if it
// matches any part. A redirection that writes is judged by the rules of `write`.
import type { Redirection, ShellPart, SimpleCommand } from '../shell/shell.ts'
import {
  changesFolder,
  commandText,
  deniableTexts,
  isCommandKnown,
  nestedParts,
  parseShell,
} from '../shell/shell.ts'
import type { Places, Rule } from './rules.ts'
import { appliesTo, coversPath, matchesText, pathsOf, touchesPath } from './rules.ts'

/** Files that are no files: writing to them changes nothing. */
const harmlessTargets = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** Whether the rules allow every part of the command. */
export function allowsCommand(command: string, rules: readonly Rule[], places: Places): boolean {
  const parts = parseShell(command)
  if (parts === undefined || parts.length === 0) return false
  const bash = rules.filter((rule) => appliesTo(rule, 'bash'))
  const write = rules.filter((rule) => appliesTo(rule, 'write'))
  const isMoved = parts.some((part) => part.kind === 'command' && changesFolder(part))
  return parts.every((part) => {
    if (part.kind === 'command') return bash.some((rule) => allowsPart(rule, part))
    return part.kind === 'read' || isTargetAllowed(part, write, places, isMoved)
  })
}

function allowsPart(rule: Rule, part: SimpleCommand): boolean {
  if (!isCommandKnown(part)) return rule.pattern === undefined || /^\*+$/.test(rule.pattern)
  const raw = part.words.map((word) => word.raw).join(' ')
  return matchesText(rule, commandText(part)) || matchesText(rule, raw)
}

/** After `cd`, a relative path may be anywhere. */
function isTargetAllowed(
  { path }: Redirection,
  rules: readonly Rule[],
  places: Places,
  isMoved: boolean,
): boolean {
  if (path === undefined || (isMoved && !path.startsWith('/'))) {
    return rules.some(({ pattern }) => pattern === undefined)
  }
  if (harmlessTargets.test(path)) return true
  const { real } = pathsOf(path, places.root)
  return rules.some((rule) => coversPath(rule, real, places))
}

/** The deny rule that matches a part; `unknown` if a part could be anything. */
export function deniesCommand(
  command: string,
  rules: readonly Rule[],
  places: Places,
): Rule | 'unknown' | undefined {
  const bash = rules.filter((rule) => appliesTo(rule, 'bash'))
  const whole = bash.find((rule) => matchesText(rule, command.trim()))
  if (whole !== undefined) return whole
  const relevant = rules.filter((rule) =>
    ['bash', 'write', 'read'].some((tool) => appliesTo(rule, tool)),
  )
  return relevant.length === 0 ? undefined : deniesParts(parseShell(command), relevant, places)
}

function deniesParts(
  parts: readonly ShellPart[] | undefined,
  rules: readonly Rule[],
  places: Places,
): Rule | 'unknown' | undefined {
  if (parts === undefined) return 'unknown'
  let isUnknown = false
  for (const part of parts) {
    const found =
      part.kind === 'command' ? deniesPart(part, rules, places) : deniesTarget(part, rules, places)
    if (typeof found === 'object') return found
    isUnknown ||= found === 'unknown'
  }
  return isUnknown ? 'unknown' : undefined
}

function deniesPart(
  part: SimpleCommand,
  rules: readonly Rule[],
  places: Places,
): Rule | 'unknown' | undefined {
  const bash = rules.filter((rule) => appliesTo(rule, 'bash'))
  const texts = deniableTexts(part)
  const found = bash.find((rule) => texts.some((text) => matchesText(rule, text)))
  if (found !== undefined) return found
  if (bash.length > 0 && !isCommandKnown(part)) return 'unknown'
  const nested = nestedParts(part)
  return nested?.length === 0 ? undefined : deniesParts(nested, rules, places)
}

function deniesTarget(
  { kind, path }: Redirection,
  rules: readonly Rule[],
  places: Places,
): Rule | 'unknown' | undefined {
  const relevant = rules.filter((rule) => appliesTo(rule, kind))
  if (relevant.length === 0) return undefined
  if (path === undefined) return 'unknown'
  const { named, real } = pathsOf(path, places.root)
  return relevant.find(
    (rule) => touchesPath(rule, named, places) || touchesPath(rule, real, places),
  )
}

/** Whether a hook with this rule wants to see the command: any part, or the whole text. */
export function touchesCommand(command: string, rule: Rule, places: Places): boolean {
  return typeof deniesCommand(command, [rule], places) === 'object'
}
