// Builds the data of the comparison page of two runs from the results of `zcl compare`.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { pageJson, type PageContents } from '@zee/core/page'
import { attemptsFolder } from '@zee/evidence/layout'
import {
  compareDefaults,
  compareRuns,
  footLines,
  lostText,
  measureCells,
  measureTitle,
  missionCells,
  reasonLabels,
  sideText,
  verdictText,
  type Comparison,
  type MeasureComparison as Measured,
  type NotCompared,
} from '@zee/evidence/statistics/compare'
import { readRunFacts, type RunFacts } from '@zee/evidence/statistics'
import type {
  ComparisonCells,
  ComparisonLevel,
  ComparisonPage,
  MeasureComparison,
  MissionComparison,
  PairedAttempt,
  Rate,
} from '@zee/web/data'
import { costOf } from '../cost/cost.ts'
import { changesBetween } from './run-differences.ts'
import { pageHead, type PageMaker } from './run-page.ts'

type Sides<T> = readonly [T, T]

export function comparisonPage(folders: Sides<string>, maker: PageMaker): PageContents {
  const [a, b] = [readRunFacts(folders[0], { costOf }), readRunFacts(folders[1], { costOf })]
  const compared = compareRuns(
    { runs: [a] },
    { runs: [b] },
    { ...compareDefaults, anyProfile: true },
  )
  const page: ComparisonPage = {
    ...comparisonTexts(compared, [a, b], maker),
    changes: changesBetween({ folder: folders[0], facts: a }, { folder: folders[1], facts: b }),
    pairs: pairsOf(folders, [a, b]),
  }
  return { title: page.title, json: pageJson(page) }
}

/** The page without what it reads from the folders: every text of `zcl compare`. */
export function comparisonTexts(
  compared: Comparison,
  runs: Sides<RunFacts>,
  maker: PageMaker,
): Omit<ComparisonPage, 'changes' | 'pairs'> {
  const { onTheseMissions: these, onMissionsLikeThese, warnings, settings } = compared
  const lost = lostText(compared)
  return {
    ...pageHead(maker, `${compared.suiteId} · comparison`),
    kind: 'comparison',
    sides: [side(compared, 'a', runs[0]), side(compared, 'b', runs[1])],
    ...(warnings.length === 0 ? {} : { caution: warnings.join('. ') }),
    verdicts: [these, onMissionsLikeThese].map((each) => ({
      name: each.name,
      word: each.verdict,
      level: levelOf(each.verdict),
      text: verdictText(each, settings.alpha),
    })),
    ...(lost === undefined ? {} : { lost }),
    overall: defined({ delta: these.difference, low: these.low, high: these.high }),
    missions: [...compared.missions.map(mission), ...compared.notCompared.map(notCompared)].sort(
      (x, y) => (x.missionId < y.missionId ? -1 : 1),
    ),
    measures: compared.measures.map(measure),
    notes: footLines(compared),
  }
}

function levelOf(word: string): ComparisonLevel {
  return word === 'better' || word === 'worse' ? word : 'even'
}

function side(
  compared: Comparison,
  which: 'a' | 'b',
  run: RunFacts,
): ComparisonPage['sides'][number] {
  const { runIds, rate } = compared[which]
  const counts = sideText(compared[which])
  return { label: runIds.join(', '), runIds, suiteId: run.suiteId, rate: rateOf(rate), counts }
}

function mission(each: Comparison['missions'][number]): MissionComparison {
  const { missionId, a, b, difference, low, high, level } = each
  return {
    missionId,
    a: rateOf(a.rate),
    b: rateOf(b.rate),
    difference: defined({ delta: difference, low, high }),
    cells: cellsOf(missionCells(each)),
    level: levelOf(level),
    word: level,
  }
}

const noRate: Rate = { passed: 0, judged: 0 }
const noCells: ComparisonCells = { a: '-', b: '-', change: '-', p: '-' }

/** The cells of a row without its name and its word. */
function cellsOf([, a = '', b = '', change = '', p = '']: readonly string[]): ComparisonCells {
  return { a, b, change, p }
}

function notCompared({ missionId, reason }: NotCompared): MissionComparison {
  const sides = { a: noRate, b: noRate, difference: {}, cells: noCells }
  return { missionId, ...sides, level: 'missing', word: reasonLabels[reason] }
}

function measure(each: Measured): MeasureComparison {
  const { ratio, low, high, level } = each
  return {
    name: measureTitle(each),
    cells: cellsOf(measureCells(each)),
    ...defined({ ratio, low, high }),
    level: levelOf(level),
    word: level,
  }
}

function rateOf({ passed, judged, rate, low, high }: Comparison['a']['rate']): Rate {
  return { passed, judged, ...defined({ rate, low, high }) }
}

/** The fields without null and undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> }
}

const maxPairs = 500

/** Attempts of the same mission, first with first, second with second. */
function pairsOf(folders: Sides<string>, runs: Sides<RunFacts>): ComparisonPage['pairs'] {
  const missions = [
    ...new Set(runs.flatMap(({ attempts }) => attempts.map((each) => each.missionId))),
  ]
  return missions
    .sort()
    .flatMap((missionId) => {
      const sides = ([0, 1] as const).map((which) =>
        runs[which].attempts
          .filter((attempt) => attempt.missionId === missionId)
          .map((attempt) => pairedAttempt(folders[which], attempt)),
      )
      const [a = [], b = []] = sides
      return Array.from({ length: Math.max(a.length, b.length) }, (_none, index) => ({
        missionId,
        a: a[index],
        b: b[index],
      }))
    })
    .slice(0, maxPairs)
}

function pairedAttempt(folder: string, attempt: RunFacts['attempts'][number]): PairedAttempt {
  const { attemptId, outcome, toolCalls, wallTimeMs } = attempt
  return {
    attemptId,
    outcome,
    calls: toolCalls,
    ms: wallTimeMs,
    href: pathToFileURL(path.join(attemptsFolder(folder), attemptId)).href,
  }
}
