// Stores the latest result of each case. A new run of one case retains the results of the others.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface CaseResult {
  name: string
  machine: string
  at: string
}

/** `names` lists the cases of the file, in order. Results of other cases are dropped. */
export function storeResults(
  file: string,
  fresh: readonly CaseResult[],
  names: readonly string[],
): void {
  const all = new Map([...storedResults(file), ...fresh].map((result) => [result.name, result]))
  const cases = names.flatMap((name) => all.get(name) ?? [])
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ cases }, null, 2)}\n`)
}

function storedResults(file: string): CaseResult[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { cases: CaseResult[] }).cases
  } catch {
    return []
  }
}
