// Runs of the suite `smoke` for comparisons, written as one character per attempt.
import type { AttemptFacts, RunFacts } from '../src/statistics/read-run.ts'

const outcomes = { '+': 'passed', '-': 'failed', i: 'infra', '?': 'missing' } as const

/** `vary` changes the attempt with this index. */
export function comparedRun(
  missions: Readonly<Record<string, string>>,
  vary: (index: number, missionId: string) => Partial<AttemptFacts> = () => ({}),
): RunFacts {
  const attempts = Object.entries(missions).flatMap(([missionId, marks]) =>
    [...marks].map((mark, index): AttemptFacts => ({
      runId: 'r',
      suiteId: 'smoke',
      missionId,
      contentHash: `hash-${missionId}`,
      attemptId: `${String(index + 1).padStart(3, '0')}-${missionId}-r1`,
      outcome: outcomes[mark as keyof typeof outcomes],
      toolCalls: 10,
      failures: 1,
      wallTimeMs: 1000,
      bytes: 500,
      ...vary(index, missionId),
    })),
  )
  return { runId: 'r', suiteId: 'smoke', pinned: false, attempts }
}
