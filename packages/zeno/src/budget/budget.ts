// Limits of --budget: operations, lines read, grep hits, and characters or tokens of text. Their enforcement is
// loaded lazily: most servers have no budget, and every command parses its options.
import { usageError } from '@zee/core/errors'
import type { Budget } from './enforcement.ts'

export type { Budget }

export const budgetKinds = ['ops', 'lines', 'hits', 'chars', 'tokens'] as const

export type BudgetKind = (typeof budgetKinds)[number]
export type BudgetLimits = Partial<Record<BudgetKind, number>>

/** Parses `ops=30,lines=2000,hits=200,chars=100000,tokens=25000`; each part is optional. */
export function parseBudget(text: string): BudgetLimits {
  const limits: BudgetLimits = {}
  for (const part of text.split(',')) {
    const [, kind, number] = /^\s*(\w+)=(\d{1,15})\s*$/.exec(part) ?? []
    if (number === undefined || !isKind(kind) || limits[kind] !== undefined) {
      throw usageError(
        `'${text}' is not a budget such as ops=30,lines=2000,hits=200,chars=100000,tokens=25000`,
      )
    }
    limits[kind] = Number(number)
  }
  return limits
}

/** Returns a function that creates a budget with these limits, one per client. */
export async function loadBudget(limits: BudgetLimits): Promise<() => Budget> {
  const { createBudget } = await import('./enforcement.ts')
  return () => createBudget(limits)
}

function isKind(text: string | undefined): text is BudgetKind {
  return budgetKinds.some((kind) => kind === text)
}
