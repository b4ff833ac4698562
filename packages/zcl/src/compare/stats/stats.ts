// Renders statistics as text: a few lines per suite, then a table of its missions.
import type { Host } from '@zee/core/exit'
import type {
  Distribution,
  MissionStatistics,
  OutcomeCounts,
  SuiteStatistics,
} from '@zee/evidence/statistics'
import {
  aligned,
  alignedFor,
  formatBytes,
  colours,
  formatMilliseconds,
} from '../../output/output.ts'
import { pluralize } from '../../output/output.ts'
import { countsText, percentText } from '@zee/evidence/statistics/compare'
import { formatRate } from '../format-values.ts'

export function describeStatistics(suites: readonly SuiteStatistics[], host: Host): string[] {
  if (suites.length === 0) return ['no attempts']
  return suites.flatMap((suite, index) => [
    ...(index === 0 ? [] : ['']),
    ...describeSuite(suite, host),
  ])
}

function describeSuite(suite: SuiteStatistics, host: Host): string[] {
  const { bold } = colours(host)
  const { measures, missionMean: mean } = suite
  const rows = aligned([
    ['pass rate', formatRate(suite.rate)],
    ...(mean === null
      ? []
      : [
          [
            'by mission',
            `${formatMean(mean)}, mean of ${pluralize(suite.missions.length, 'mission')}`,
          ],
        ]),
    ['pass@k', formatKs(suite, 'passAtK')],
    ['pass^k', formatKs(suite, 'passHatK')],
    ['calls', formatDistribution(measures.toolCalls, String)],
    ['failed calls', formatDistribution(measures.failures, String)],
    ['output', formatDistribution(measures.bytes, (value) => formatBytes(Math.round(value)))],
    [
      'wall time',
      formatDistribution(measures.wallTimeMs, (value) => formatMilliseconds(Math.round(value))),
    ],
    [
      'tokens',
      formatDistribution(measures.tokens, (value) => String(Math.round(value))) +
        (suite.tokenSource === undefined ? '' : ` (${suite.tokenSource})`),
    ],
    [
      'cost',
      formatDistribution(measures.costUsd, formatUsd) +
        (suite.costUsd === undefined ? '' : `, ${formatUsd(suite.costUsd)} in all`),
    ],
  ])
  return [
    `${bold(suite.suiteId)}  ${suite.attempts} attempts: ${countsText(suite)}`,
    ...rows.map((row) => `  ${row}`),
    '',
    ...missionTable(suite.missions, host).map((row) => `  ${row}`),
  ]
}

function formatMean({ rate, low, high }: NonNullable<SuiteStatistics['missionMean']>): string {
  if (low === undefined || high === undefined) return percentText(rate)
  return `${percentText(rate)} (${percentText(low)} to ${percentText(high)})`
}

function formatUsd(value: number): string {
  return `$${value.toFixed(4)}`
}

const indent = 2

function missionTable(missions: readonly MissionStatistics[], host: Host): string[] {
  const ks = missions[0]?.passAt.map(({ k }) => k).filter((k) => k > 1) ?? []
  const head = ['mission', 'passed', 'rate', ...ks.map((k) => `pass@${k}`), 'calls', 'excluded']
  const rows = missions.map((mission) => [
    mission.missionId,
    `${mission.rate.passed}/${mission.rate.judged}`,
    formatRate(mission.rate),
    ...ks.map((k) => shareOrDash(mission.passAt.find((each) => each.k === k)?.passAtK)),
    mission.measures.toolCalls === null ? '-' : String(mission.measures.toolCalls.p50),
    describeExcluded(mission),
  ])
  // The suite's lines above have pass@k too.
  const optional = ks.map((_, index) => 3 + index)
  return alignedFor(host, [head, ...rows], optional, indent)
}

function describeExcluded({ infra, missing }: OutcomeCounts): string {
  return [
    ...(infra === 0 ? [] : [`${infra} infra`]),
    ...(missing === 0 ? [] : [`${missing} without outcome`]),
  ].join(', ')
}

function formatKs({ passAt }: SuiteStatistics, which: 'passAtK' | 'passHatK'): string {
  return passAt.map((each) => `${each.k}: ${shareOrDash(each[which])}`).join('  ')
}

function shareOrDash(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : percentText(value)
}

function formatDistribution(
  values: Distribution | null,
  format: (value: number) => string,
): string {
  if (values === null) return '-'
  return `median ${format(values.p50)}, p90 ${format(values.p90)}, p95 ${format(values.p95)}, max ${format(values.max)}`
}
