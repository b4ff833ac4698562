// What was measured last, case by case: asking one question again keeps the answers to the others.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface CaseResult {
  name: string
  machine: string
  at: string
}

/** `known` are the cases that there are, in their order; answers to others are dropped. */
export function keepResults(
  file: string,
  fresh: readonly CaseResult[],
  known: readonly string[],
): void {
  const all = new Map([...earlier(file), ...fresh].map((result) => [result.name, result]))
  const cases = known.flatMap((name) => all.get(name) ?? [])
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ cases }, null, 2)}\n`)
}

function earlier(file: string): CaseResult[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { cases: CaseResult[] }).cases
  } catch {
    return []
  }
}
