// The forks of an attempt, in lines for people.
import { aligned, pluralize } from '../../output/output.ts'
import type { ForkResult } from './fork.ts'

export function describeFork(
  source: { runId: string; attemptId: string; outcome: string },
  runId: string,
  results: readonly ForkResult[],
): string[] {
  const rows = results.map((fork) => [
    fork.at === null ? 'as recorded' : `call ${fork.at}`,
    fork.attemptId,
    fork.outcome,
    fork.flipped ? 'flipped' : fork.identical ? 'identical' : 'same outcome',
    divergenceText(fork),
    callsText(fork),
  ])
  return [
    `${source.attemptId} of ${source.runId}: ${source.outcome}`,
    ...aligned(rows).map((row) => `  ${row}`),
    `${pluralize(results.length, 'fork')} in ${runId}`,
  ]
}

function divergenceText({ divergence }: ForkResult): string {
  if (divergence === null) return 'no divergence'
  const { call, made } = divergence
  return made === null ? `ends before call ${call}` : `departs at call ${call}: ${made}`
}

function callsText({ calls }: ForkResult): string {
  return Object.entries(calls)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}
