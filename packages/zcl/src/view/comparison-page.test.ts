// The page of a comparison and `zcl compare` state the same words and numbers.
import { fixedClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import type { AttemptFacts, RunFacts } from '@zee/evidence/statistics'
import { compareDefaults, compareRuns } from '@zee/evidence/statistics/compare'
import type { ComparisonPage } from '@zee/web/data'
import { expect, test } from 'vitest'
import { seededRandom, type Random } from '../../../../test/support/secret-corpus.ts'
import { describeComparison } from '../compare/text.ts'
import { comparisonTexts } from './comparison-page.ts'

const maker = { madeBy: 'zcl', now: () => '2026-01-01T00:00:00.000Z', redactor: createRedactor({}) }
const host = {
  env: { NO_COLOR: '1' },
  stdout: { isTTY: false },
  clock: fixedClock(new Date(0)),
} as unknown as Host

test('the page and the command line state the same lines, in 60 generated comparisons', () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = seededRandom(seed)
    const missions = 1 + Math.floor(random() * 9)
    const runs = [runOf('a', missions, random), runOf('b', missions, random)] as const
    const options = { ...compareDefaults, resamples: 200, anyProfile: true }
    const compared = compareRuns({ runs: [runs[0]] }, { runs: [runs[1]] }, options)
    const page = comparisonTexts(compared, runs, maker)
    const printed = describeComparison(compared, host).map(collapsed).filter(Boolean)
    expect([...linesOf(page)].sort(), `seed ${seed}`).toEqual(printed.sort())
  }
})

/** The lines of the page as `zcl compare` prints them. */
function* linesOf(page: Omit<ComparisonPage, 'changes' | 'pairs'>): Generator<string> {
  for (const [index, side] of page.sides.entries()) {
    yield collapsed(`${'AB'[index]} ${side.label} ${side.counts}`)
  }
  for (const { text } of page.verdicts) yield collapsed(text)
  if (page.lost !== undefined) yield collapsed(page.lost)
  yield 'mission A B points p (Holm)'
  yield 'measure A B B to A p (Holm)'
  const rows = [
    ...page.missions
      .filter(({ level }) => level !== 'missing')
      .map(({ missionId, ...row }) => ({ name: missionId, ...row })),
    ...page.measures,
  ]
  for (const { name, cells, word } of rows) {
    // The command line writes this word in place of the ratio, to keep the table narrow.
    const [change, last] = word === 'not measured' ? [word, ''] : [cells.change, word]
    yield collapsed([name, cells.a, cells.b, change, cells.p, last].join(' '))
  }
  for (const note of page.notes) yield collapsed(note)
}

function collapsed(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim()
}

/** Attempts with lost ones, missions that only one side has, and measures that are not all known. */
function runOf(runId: string, missions: number, random: Random): RunFacts {
  const rate = 0.2 + 0.6 * random()
  const lost = random() < 0.5 ? 0 : 0.3 * random()
  const attempts = Array.from({ length: missions }, (_, mission) => {
    const isAlone = mission > 0 && random() < 0.1
    const count = 1 + Math.floor(random() * 6)
    return Array.from({ length: count }, () => ({
      ...attemptOf(isAlone ? `${runId}-only` : `m${mission}`, random),
      outcome: outcomeOf(rate, lost, random),
      runId,
    }))
  })
  return { runId, suiteId: 's', pinned: false, attempts: attempts.flat() }
}

function outcomeOf(rate: number, lost: number, random: Random): AttemptFacts['outcome'] {
  if (random() < lost) return random() < 0.5 ? 'infra' : 'missing'
  return random() < rate ? 'passed' : 'failed'
}

function attemptOf(missionId: string, random: Random): AttemptFacts {
  const size = Math.exp(3 * random())
  return {
    ...{ runId: '', suiteId: 's', missionId, contentHash: 'h', attemptId: '001-m-r1' },
    outcome: 'passed',
    toolCalls: Math.floor(5 * size),
    failures: Math.floor(3 * random()),
    wallTimeMs: Math.round(1000 * size),
    bytes: Math.round(200 * size),
    tokens: Math.round(300 * size),
    tokenSource: random() < 0.9 ? 'runner.metrics' : 'trace-heuristic',
    ...(random() < 0.95 ? { costUsd: 0.01 * size } : {}),
  }
}
