// Reports of a campaign: every planned step, totals per flow, and RESULTS.md for people.
import path from 'node:path'
import { writeFileAtomic, writeJsonAtomic } from '@zee/core/atomic-file'
import { ensureFolder } from '@zee/core/folders'
import type { CampaignSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { campaignFile, latestSteps, stepKey, writeCampaignFile } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

export interface FlowSummary {
  flowId: string
  runId: string
  attempts: number
  claimedOk: number
  verifiedOk: number
  /** Attempts whose claimed and verified outcomes differ. */
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
  const stepAt = (flowId: string, index: number) =>
    latest.get(stepKey(plan.campaignId, flowId, index))
  const missions = plan.missions.map((missionId, missionIndex) => ({
    missionIndex,
    missionId,
    flows: plan.flows.map(
      ({ flowId }) => stepAt(flowId, missionIndex) ?? { flowId, missing: true as const },
    ),
  }))
  const { campaignId, specHash } = plan
  const { status, code, message } = state
  const flows = plan.flows.map(({ flowId, runId }) => {
    const flowSteps = plan.missions.map((_, index) => stepAt(flowId, index))
    return { flowId, runId, ...sumSteps(flowSteps) }
  })
  const all = plan.flows.flatMap(({ flowId }) =>
    plan.missions.map((_, index) => stepAt(flowId, index)),
  )
  const { attempts: _attempts, ...totals } = sumSteps(all)
  return {
    report: {
      schemaVersion: 1,
      campaignId,
      status,
      code,
      message,
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

const maxTopCodes = 10

function sumSteps(steps: readonly (Step | undefined)[]) {
  const present = steps.filter((step) => step !== undefined)
  const counts = new Map<string, number>()
  for (const { codes } of present) {
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const inBucket = (bucket: Step['bucket']) =>
    present.filter((step) => step.bucket === bucket).length
  return {
    attempts: present.length,
    claimedOk: present.filter(({ claimedOk }) => claimedOk === true).length,
    verifiedOk: present.filter(({ verifiedOk }) => verifiedOk).length,
    mismatches: present.filter((step) => (step.claimedOk === true) !== step.verifiedOk).length,
    missing: steps.length - present.length,
    failureBuckets: {
      infra: inBucket('infra'),
      oracle: inBucket('oracle'),
      mission: inBucket('mission'),
    },
    topCodes: [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, maxTopCodes)
      .map(([code, count]) => ({ code, count })),
  }
}

type CampaignReports = { report: CampaignReport; summary: CampaignSummary }

/** Writes the reports to the campaign folder, and copies to the paths in `copies`. */
export async function writeReports(
  folder: string,
  { report, summary }: CampaignReports,
  copies: ReportPaths = {},
): Promise<void> {
  const page = resultsPage(report, summary)
  await writeCampaignFile(folder, campaignFile.report, report)
  await writeCampaignFile(folder, campaignFile.summary, summary)
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

/** The absolute paths in `output`; relative paths start from the folder of the specification. */
export function copiesOf({ spec, folder }: LoadedSpec): ReportPaths {
  const { reportPath, summaryPath, resultsPath, resultsMdPath } = spec.output ?? {}
  const paths = { reportPath, summaryPath, resultsPath: resultsPath ?? resultsMdPath }
  const named = Object.entries(paths).flatMap(([key, file]) =>
    file === undefined ? [] : [[key, path.resolve(folder, file)]],
  )
  return Object.fromEntries(named) as ReportPaths
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
