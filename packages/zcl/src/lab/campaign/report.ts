// What a campaign amounts to: every place of the plan, the sums by flow, and a page for people.
import path from 'node:path'
import { writeFileAtomic, writeJsonAtomic } from '@zee/core/atomic-file'
import { ensureFolder } from '@zee/core/folders'
import type { CampaignSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { campaignFile, latestSteps, stepKey, writeOwn } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

export interface FlowSummary {
  flowId: string
  runId: string
  attempts: number
  claimedOk: number
  verifiedOk: number
  /** The agent said one thing, the checks another. */
  mismatches: number
  missing: number
  failureBuckets: { infra: number; oracle: number; mission: number }
  topCodes: { code: string; count: number }[]
}

export interface CampaignSummary {
  schemaVersion: 1
  campaignId: string
  status: CampaignState['status']
  missionsTotal: number
  claimedOk: number
  verifiedOk: number
  mismatches: number
  missing: number
  failureBuckets: { infra: number; oracle: number; mission: number }
  topCodes: { code: string; count: number }[]
  flows: FlowSummary[]
  computedAt: string
}

export interface CampaignReport {
  schemaVersion: 1
  campaignId: string
  status: CampaignState['status']
  code?: string
  message?: string
  specHash: string
  missions: {
    missionIndex: number
    missionId: string
    flows: (Step | { flowId: string; missing: true })[]
  }[]
  computedAt: string
}

export function reportOf(
  plan: CampaignPlan,
  state: CampaignState,
  steps: readonly Step[],
  computedAt: string,
): { report: CampaignReport; summary: CampaignSummary } {
  const latest = latestSteps(steps)
  const at = (flowId: string, index: number) => latest.get(stepKey(plan.campaignId, flowId, index))
  const missions = plan.missions.map((missionId, missionIndex) => ({
    missionIndex,
    missionId,
    flows: plan.flows.map(
      ({ flowId }) => at(flowId, missionIndex) ?? { flowId, missing: true as const },
    ),
  }))
  const { campaignId, specHash } = plan
  const { status, code, message } = state
  const flows = plan.flows.map(({ flowId, runId }) => {
    const own = plan.missions.map((_, index) => at(flowId, index))
    return { flowId, runId, ...sums(own) }
  })
  const all = plan.flows.flatMap(({ flowId }) => plan.missions.map((_, index) => at(flowId, index)))
  const { attempts: _attempts, ...totals } = sums(all)
  return {
    report: {
      schemaVersion: 1,
      campaignId,
      status,
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      specHash,
      missions,
      computedAt,
    },
    summary: {
      schemaVersion: 1,
      campaignId,
      status,
      missionsTotal: plan.missions.length,
      ...totals,
      flows,
      computedAt,
    },
  }
}

const topCodesKept = 10

function sums(steps: readonly (Step | undefined)[]) {
  const there = steps.filter((step) => step !== undefined)
  const counts = new Map<string, number>()
  for (const { codes } of there) {
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const inBucket = (bucket: Step['bucket']) => there.filter((step) => step.bucket === bucket).length
  return {
    attempts: there.length,
    claimedOk: there.filter(({ claimedOk }) => claimedOk === true).length,
    verifiedOk: there.filter(({ verifiedOk }) => verifiedOk).length,
    mismatches: there.filter((step) => (step.claimedOk === true) !== step.verifiedOk).length,
    missing: steps.length - there.length,
    failureBuckets: {
      infra: inBucket('infra'),
      oracle: inBucket('oracle'),
      mission: inBucket('mission'),
    },
    topCodes: [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, topCodesKept)
      .map(([code, count]) => ({ code, count })),
  }
}

type Made = { report: CampaignReport; summary: CampaignSummary }

/** Into the campaign's own folder, and where `output` of its specification wants copies. */
export async function writeReports(
  folder: string,
  { report, summary }: Made,
  copies: ReportPaths = {},
): Promise<void> {
  const page = resultsPage(report, summary)
  await writeOwn(folder, campaignFile.report, report)
  await writeOwn(folder, campaignFile.summary, summary)
  await writeFileAtomic(path.join(folder, campaignFile.results), page)
  const { reportPath, summaryPath, resultsPath } = copies
  for (const file of [reportPath, summaryPath, resultsPath]) {
    if (file !== undefined) ensureFolder(path.dirname(file))
  }
  if (reportPath !== undefined) await writeJsonAtomic(reportPath, report)
  if (summaryPath !== undefined) await writeJsonAtomic(summaryPath, summary)
  if (resultsPath !== undefined) await writeFileAtomic(resultsPath, page)
}

type ReportPaths = { [Key in keyof NonNullable<CampaignSpec['output']>]?: string }

/** Absolute; relative ones in the specification start from its folder. */
export function copiesOf({ spec, folder }: LoadedSpec): ReportPaths {
  const paths = Object.entries(spec.output ?? {}).map(([key, file]) => [
    key,
    path.resolve(folder, file),
  ])
  return Object.fromEntries(paths) as ReportPaths
}

export function resultsPage(report: CampaignReport, summary: CampaignSummary): string {
  const flows = summary.flows.map(({ flowId }) => flowId)
  const reason = report.code === undefined ? '' : ` (${report.code}: ${report.message})`
  const codes = summary.topCodes.map(({ code, count }) => `- ${code}: ${count}`)
  return [
    `# ${report.campaignId}`,
    '',
    `Status: **${report.status}**${reason}. ${summary.missionsTotal} missions, ${flows.length} flows.`,
    '',
    '| flow | run | verified ok | claimed ok | infra | oracle | mission | missing |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...summary.flows.map((flow) => {
      const { infra, oracle, mission } = flow.failureBuckets
      const rate = `${flow.verifiedOk}/${summary.missionsTotal}`
      return `| ${flow.flowId} | ${flow.runId} | ${rate} | ${flow.claimedOk} | ${infra} | ${oracle} | ${mission} | ${flow.missing} |`
    }),
    '',
    `| mission | ${flows.join(' | ')} |`,
    `| --- | ${flows.map(() => '---').join(' | ')} |`,
    ...report.missions.map(
      ({ missionId, flows: steps }) => `| ${missionId} | ${steps.map(cell).join(' | ')} |`,
    ),
    '',
    ...(codes.length === 0 ? [] : ['Most frequent codes:', '', ...codes, '']),
    ...comparison(summary),
  ].join('\n')
}

function cell(step: CampaignReport['missions'][number]['flows'][number]): string {
  if ('missing' in step) return 'missing'
  if (step.verifiedOk) return 'ok'
  return step.bucket === 'infra' ? 'infra' : `fail${step.claimedOk === true ? ' (claimed ok)' : ''}`
}

function comparison({ flows }: CampaignSummary): string[] {
  const [first, second] = flows
  if (first === undefined || second === undefined) return []
  return [`Compare: \`zcl compare ${first.runId} ${second.runId}\``, '']
}
