// Time expressions as people write them: moments (`tomorrow 9:00`) and rules (`mon..fri 08:30`).
import { ZeeError } from '@zee/core/errors'
import type { Rule } from '../calendar/calendar.ts'
import { nextInstant } from '../calendar/calendar.ts'
import { notUnderstood, withExamples } from './errors.ts'
import { momentOf } from './moment.ts'
import { ruleOf } from './rule-of.ts'
import type { Terms } from './terms.ts'
import { termsOf } from './terms.ts'

export interface Schedule {
  /** The first time, in milliseconds since 1970. */
  next: number
  /** Absent for a job that runs once. */
  rule: Rule | undefined
  zone: string
}

export interface ExpressionContext {
  now: number
  /** Used unless the expression names a zone. */
  zone: string
}

/** A moment, or a rule when the expression says `every` or `daily`. */
export function parseMoment(text: string, context: ExpressionContext): Schedule {
  return parse(text, 'moment', (terms) => {
    if (terms.isRepeated) return repeated(terms, context)
    const zone = terms.zone ?? context.zone
    return { next: momentOf(terms, { ...context, zone }), rule: undefined, zone }
  })
}

export function parseRule(text: string, context: ExpressionContext): Schedule {
  return parse(text, 'rule', (terms) => repeated(terms, context))
}

function repeated(terms: Terms, context: ExpressionContext): Schedule {
  const zone = terms.zone ?? context.zone
  const rule = ruleOf(terms, { ...context, zone })
  const next = nextInstant(rule, context.now, zone)
  if (next === undefined) throw notUnderstood('there is no such day')
  return { next, rule, zone }
}

function parse(text: string, kind: 'moment' | 'rule', read: (terms: Terms) => Schedule): Schedule {
  try {
    if (text.trim() === '') throw notUnderstood('it is empty')
    return read(termsOf(text))
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    throw withExamples(text, error, kind)
  }
}
