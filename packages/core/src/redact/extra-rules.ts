// Redaction rules from the user's configuration: validated once, then run in linear time like the
// built-in rules.
import { ZeeError, oneLine, reasonOf } from '../errors/errors.ts'
import { isKebabId } from '../ids/ids.ts'
import { compileLinear } from './linear-regex/linear-regex.ts'
import type { Finder, Label } from './spans.ts'
import { labelOf } from './spans.ts'

export interface ExtraRule {
  /** A kebab-case id of at most 64 bytes; receipts list it. */
  id: string
  /** At most 4096 bytes; may start with flags such as `(?i)`. */
  regex: string
  /** Literal text that replaces each match, at most 256 bytes; `[REDACTED:<ID>]` by default. */
  replacement?: string
}

export interface CompiledRule {
  label: Label
  find: Finder
}

const limits = { rules: 128, id: 64, regex: 4096, replacement: 256 }

/** Throws a ZeeError `invalid_redaction_rule` that names the first invalid rule. */
export function compileExtraRules(rules: readonly ExtraRule[], rank: number): CompiledRule[] {
  if (!Array.isArray(rules)) throw invalid('extraRules', 'it must be a list of rules')
  if (rules.length > limits.rules) {
    throw invalid('extraRules', `there are ${rules.length} rules, the maximum is ${limits.rules}`)
  }
  const seen = new Set<string>()
  return rules.map((rule: unknown, index) => {
    const checked = checkedRule(rule, index)
    if (seen.has(checked.id)) throw invalid(checked.id, 'another rule has the same id')
    seen.add(checked.id)
    return compiled(checked, rank)
  })
}

function checkedRule(rule: unknown, index: number): ExtraRule {
  const position = `extraRules[${index}]`
  if (typeof rule !== 'object' || rule === null) throw invalid(position, 'it must be an object')
  const { id, regex, replacement } = rule as Record<string, unknown>
  if (typeof id !== 'string' || !isKebabId(id) || id.length > limits.id) {
    const name =
      typeof id === 'string' ? `${position} ${JSON.stringify(id.slice(0, 80))}` : position
    throw invalid(name, `the id must be like "my-rule" and have at most ${limits.id} bytes`)
  }
  if (typeof regex !== 'string' || regex === '') throw invalid(id, 'it has no regex')
  if (Buffer.byteLength(regex) > limits.regex) {
    throw invalid(id, `the regex is longer than ${limits.regex} bytes`)
  }
  if (replacement === undefined) return { id, regex }
  if (typeof replacement !== 'string' || Buffer.byteLength(replacement) > limits.replacement) {
    throw invalid(id, `the replacement must be text of at most ${limits.replacement} bytes`)
  }
  return { id, regex, replacement }
}

function compiled(rule: ExtraRule, rank: number): CompiledRule {
  const label = labelOf(rule.id, rank, true)
  if (rule.replacement !== undefined) label.replacement = rule.replacement
  return { label, find: searchOf(rule) }
}

/** Compiles with the `u` flag if possible; escapes such as `\\-` are valid without it only. */
function searchOf({ id, regex }: ExtraRule): Finder {
  const [prefix, flags = ''] = /^\(\?([ims]+)\)/.exec(regex) ?? ['']
  const source = regex.slice(prefix.length)
  const wanted = [...new Set(flags)].join('')
  const search = compileLinear(source, isValid(id, source, `${wanted}u`) ? `${wanted}u` : wanted)
  if (typeof search === 'function') return search
  const position = prefix.length + search.index + 1
  throw invalid(
    id,
    `the regex has ${search.what} at character ${position}; rules run in linear time`,
  )
}

/** Whether V8 accepts the expression with the `u` flag; throws if it does not accept it at all. */
function isValid(id: string, source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    try {
      return !(new RegExp(source) instanceof RegExp)
    } catch (error) {
      throw invalid(id, `the regex does not compile: ${reasonOf(error)}`)
    }
  }
}

function invalid(rule: string, reason: string): ZeeError {
  const message = `redaction rule ${oneLine(rule)}: ${oneLine(reason)}`
  return new ZeeError('invalid_redaction_rule', message)
}
