// Builds the data of the comparison page of two runs from the results of `zcl compare`.
import { pageJson, type PageContents } from '@zee/core/page'
import {
  compareDefaults,
  compareRuns,
  type Comparison,
  type MeasureComparison as Measured,
  type NotCompared,
} from '@zee/evidence/statistics/compare'
import { readRunFacts, type RunFacts } from '@zee/evidence/statistics'
import type { ComparisonPage, MeasureComparison, MissionComparison, Rate } from '@zee/web/data'
import { pageHead, type PageMaker } from './run-page.ts'

type Sides<T> = readonly [T, T]

export function comparisonPage(folders: Sides<string>, maker: PageMaker): PageContents {
  const [a, b] = [readRunFacts(folders[0]), readRunFacts(folders[1])]
  const options = { ...compareDefaults, anyProfile: true, eachMission: false }
  const compared = compareRuns({ runs: [a] }, { runs: [b] }, options)
  const page = pageOf(compared, [a, b], maker)
  return { title: page.title, json: pageJson(page) }
}

function pageOf(compared: Comparison, runs: Sides<RunFacts>, maker: PageMaker): ComparisonPage {
  const { passRate, warnings } = compared
  return {
    ...pageHead(maker, `${compared.suiteId} · comparison`),
    kind: 'comparison',
    sides: [side(compared, 'a', runs[0]), side(compared, 'b', runs[1])],
    ...(warnings.length === 0 ? {} : { caution: warnings.join('. ') }),
    verdict: { level: levels[compared.verdict], text: verdictText(compared) },
    overall: { delta: passRate.difference, low: passRate.low, high: passRate.high },
    missions: [...compared.missions.map(mission), ...compared.notCompared.map(notCompared)].sort(
      (x, y) => (x.missionId < y.missionId ? -1 : 1),
    ),
    measures: compared.measures.map(measure),
    changes: changesBetween(runs),
  }
}

const levels = { better: 'better', worse: 'worse', equal: 'even', within_noise: 'even' } as const

const verdictTexts: Readonly<Record<Comparison['verdict'], string>> = {
  better: 'B passes more often than A, by more than chance would explain',
  worse: 'B passes less often than A, by more than chance would explain',
  equal: 'Both sides pass alike',
  within_noise: 'The difference is within what chance would explain',
}

function verdictText({ verdict, passRate }: Comparison): string {
  return `${verdictTexts[verdict]} (p = ${passRate.p.toFixed(3)}).`
}

function side(
  compared: Comparison,
  which: 'a' | 'b',
  run: RunFacts,
): ComparisonPage['sides'][number] {
  const { runIds, rate } = compared[which]
  return { label: runIds.join(', '), runIds, suiteId: run.suiteId, rate }
}

function mission(each: Comparison['missions'][number]): MissionComparison {
  const { missionId, a, b, difference, low, high, level } = each
  return { missionId, a: a.rate, b: b.rate, difference: { delta: difference, low, high }, level }
}

const reasons: Readonly<Record<NotCompared['reason'], string>> = {
  only_in_a: 'only in A',
  only_in_b: 'only in B',
  content_differs: 'its text differs',
  no_outcome: 'no outcome on one side',
}

const noRate: Rate = { passed: 0, judged: 0, low: 0, high: 1 }

function notCompared({ missionId, reason }: NotCompared): MissionComparison {
  const difference = { low: -1, high: 1 }
  return { missionId, a: noRate, b: noRate, difference, level: 'missing', note: reasons[reason] }
}

const measureLabels: Readonly<Record<Measured['name'], string>> = {
  toolCalls: 'calls',
  failures: 'failed calls',
  bytes: 'output',
  wallTimeMs: 'time',
  tokens: 'tokens',
}

function measure({ name, unit, a, b, low, high, level }: Measured): MeasureComparison {
  const orUndefined = (value: number | null) => value ?? undefined
  return {
    name: measureLabels[name],
    unit,
    ...defined({
      a: orUndefined(a),
      b: orUndefined(b),
      low: orUndefined(low),
      high: orUndefined(high),
    }),
    level,
  }
}

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> }
}

function changesBetween([a, b]: Sides<RunFacts>): ComparisonPage['changes'] {
  const facts: [string, (run: RunFacts) => string][] = [
    ['started', (run) => run.createdAt ?? '–'],
    ['settings of the harness', (run) => run.comparabilityKey?.slice(0, 12) ?? 'not recorded'],
    ['attempts', (run) => String(run.attempts.length)],
    ['missions', (run) => String(new Set(run.attempts.map(({ missionId }) => missionId)).size)],
  ]
  return facts
    .map(([what, describe]) => ({ what, before: describe(a), after: describe(b) }))
    .filter(({ before, after }) => before !== after)
}
