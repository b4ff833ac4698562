// The analysis of a pattern as short texts.
import { fixedBytes } from '../../src/regex/literals/fixed-bytes.ts'
import type { FixedBytes } from '../../src/regex/literals/fixed-bytes.ts'
import { literalPlan } from '../../src/regex/literals/literals.ts'
import type { LiteralPlan } from '../../src/regex/literals/literals.ts'
import { parseRegex } from '../../src/regex/parse/parse.ts'
import { compileRegex } from '../../src/regex/regex.ts'
import type { CompiledRegex } from '../../src/regex/regex.ts'

export interface Analysis {
  traits: string
  /** A query in one line: `a & (b | c)`, with `~` before case-insensitive texts. */
  plan: string
  /** Byte, mask and share of each position. */
  fixed: string
}

export function analysisOf(pattern: string, ignoreCase: boolean): Analysis {
  const regex = parseRegex(pattern, { ignoreCase })
  return {
    traits: traitsOf(compileRegex(pattern, { ignoreCase, lines: true })),
    plan: written(literalPlan(regex)),
    fixed: fixedText(fixedBytes(regex)),
  }
}

function traitsOf({ program, isLinear, required }: CompiledRegex): string {
  const words = [isLinear ? 'linear' : '', program.engine]
  if (program.engine === 'v8') {
    words.push(program.hasBacktrackingRisk ? 'risky' : '')
    words.push(program.regular === undefined ? '' : 'regular')
  }
  words.push(required === undefined ? '' : JSON.stringify(required))
  return words.filter((word) => word !== '').join(' ')
}

function written(plan: LiteralPlan): string {
  if (plan.kind === 'everything') return '*'
  if (plan.kind === 'literal')
    return (plan.ignoreCase ? '~' : '') + Buffer.from(plan.text).toString()
  return `(${plan.of.map(written).join(plan.kind === 'all' ? ' & ' : ' | ')})`
}

function fixedText(fixed: FixedBytes | undefined): string {
  if (fixed === undefined) return ''
  const { bytes, masks, frequencies } = fixed
  return Array.from(bytes, (byte, at) =>
    [byte.toString(16), masks[at]?.toString(16), Number(frequencies[at]?.toPrecision(4))].join('/'),
  ).join(' ')
}
