// Decides whether a tool call may run: the mode (`allow`, `ask`, `read-only`), then the rules. Deny rules
// win, and rules apply in every mode.
import type { ToolCallPart } from '@zee/llm'
import { allowsCommand, deniesCommand, touchesCommand } from './command-rules.ts'
import type { Places, Rule } from './rules.ts'
import { appliesTo, coversPath, matchesText, parseRule, pathsOf, touchesPath } from './rules.ts'

export type PermissionMode = 'allow' | 'ask' | 'read-only'

export interface PermissionSettings extends Places {
  mode: PermissionMode
  allow: readonly string[]
  deny: readonly string[]
}

export type Verdict =
  | { kind: 'allow' }
  /** `reason` completes `<tool> is not allowed: `. */
  | { kind: 'deny'; reason: string }
  /** The user must answer; `rule` is what "always" would allow. */
  | { kind: 'ask'; rule: string }

/** Tools that change nothing; they are never asked for. */
const readOnlyTools = new Set(['read', 'search', 'recall'])

type Call = Pick<ToolCallPart, 'name' | 'input'>

export class Permissions {
  mode: PermissionMode
  readonly #places: Places
  readonly #allow: Rule[]
  readonly #deny: readonly Rule[]

  constructor({ mode, allow, deny, root, home }: PermissionSettings) {
    this.mode = mode
    this.#places = { root, home }
    this.#allow = allow.map(parseRule)
    this.#deny = deny.map(parseRule)
  }

  judge(call: Call, isReadOnly = readOnlyTools.has(call.name)): Verdict {
    const denied = this.#findDeny(call)
    if (typeof denied === 'object') {
      return { kind: 'deny', reason: `the rule '${denied.text}' denies it` }
    }
    if (this.#isAlwaysAllowed(call)) return { kind: 'allow' }
    const isOpen = this.mode === 'allow' || isReadOnly || this.#isAllowed(call)
    if (isOpen && denied === undefined) return { kind: 'allow' }
    if (this.mode === 'read-only') return { kind: 'deny', reason: 'permission is read-only' }
    return { kind: 'ask', rule: this.#alwaysRule(call).text }
  }

  /** Allows this call, and those like it, for the rest of the session. */
  allowAlways(call: Call): void {
    this.#allow.push(this.#alwaysRule(call))
  }

  #findDeny({ name, input }: Call): Rule | 'unknown' | undefined {
    if (name === 'bash') return deniesCommand(String(input.command), this.#deny, this.#places)
    return this.#deny.find((rule) => touchesCall(rule, { name, input }, this.#places))
  }

  #isAlwaysAllowed(call: Call): boolean {
    return this.#allow.some(
      (rule) =>
        rule.isLiteral === true && rule.tool === call.name && rule.pattern === objectOf(call),
    )
  }

  #isAllowed(call: Call): boolean {
    const { name, input } = call
    const rules = this.#allow.filter(({ isLiteral }) => isLiteral !== true)
    if (name === 'bash') return allowsCommand(String(input.command), rules, this.#places)
    return rules.some((rule) => appliesTo(rule, name) && this.#covers(rule, call))
  }

  #covers(rule: Rule, { input }: Call): boolean {
    if (typeof input.path !== 'string') return matchesText(rule, objectOf({ name: '', input }))
    return coversPath(rule, pathsOf(input.path, this.#places.root).real, this.#places)
  }

  /** Edits inside the project share one rule; anything else is allowed exactly as it is. */
  #alwaysRule(call: Call): Rule {
    const { name, input } = call
    const project = parseRule(`${name}:**`)
    if (typeof input.path === 'string' && this.#covers(project, call)) return project
    const pattern = objectOf(call)
    return { text: `${name}:${pattern}`, tool: name, pattern, isLiteral: true }
  }
}

/** What the call acts on: its command, path or pattern, else its input as JSON. */
export function objectOf({ input }: Call): string {
  const found = [input.command, input.path, input.pattern].find((each) => typeof each === 'string')
  return typeof found === 'string' ? found : JSON.stringify(input)
}

/** Whether `match` of a hook names the call; a hook without `match` sees every call. */
export function matchesHook(match: string | undefined, call: Call, places: Places): boolean {
  if (match === undefined) return true
  const rule = parseRule(match)
  if (call.name !== 'bash') return touchesCall(rule, call, places)
  return appliesTo(rule, 'bash') && touchesCommand(String(call.input.command), rule, places)
}

function touchesCall(rule: Rule, call: Call, places: Places): boolean {
  if (!appliesTo(rule, call.name)) return false
  if (typeof call.input.path !== 'string') return matchesText(rule, objectOf(call))
  const { named, real } = pathsOf(call.input.path, places.root)
  return touchesPath(rule, named, places) || touchesPath(rule, real, places)
}
