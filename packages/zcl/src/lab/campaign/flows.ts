// Opens each flow of a campaign as a separate run: its runner command, profile and environment.
import path from 'node:path'
import { runFolder } from '@zee/evidence/layout'
import { ensureRun } from '@zee/evidence/runs'
import { recordedNow } from '../../clock/clock.ts'
import { complain } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { openLab, type LabCall } from '../open-lab.ts'
import { RunnerLogs } from '../runner-logs.ts'
import type { Lab } from '../attempt/attempt.ts'
import {
  comparabilityKeyOf,
  environmentNames,
  planExists,
  writePlan,
  type RunPlan,
} from '../plan.ts'
import { resolveProfile } from '../profile.ts'
import type { FlowMissions, Missions } from './missions.ts'
import type { FlowSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { flowCommand } from './flow/flow.ts'
import type { CampaignPlan } from './state.ts'

export interface FlowLab extends FlowMissions {
  lab: Lab
  /** What its runners print. */
  logs: RunnerLogs
}

interface FlowsRequest {
  loaded: LoadedSpec
  missions: Missions
  plan: CampaignPlan
  /** Absolute. */
  outRoot: string
}

export async function openFlows(request: FlowsRequest, call: LabCall): Promise<FlowLab[]> {
  const labs: FlowLab[] = []
  for (const each of request.missions.flows) {
    labs.push({ ...each, ...(await openFlow(each, request, call)) })
  }
  return labs
}

async function openFlow(
  { flow, suite }: FlowMissions,
  { loaded, missions, plan, outRoot }: FlowsRequest,
  { host, launcher }: LabCall,
): Promise<Pick<FlowLab, 'lab' | 'logs'>> {
  const { runner } = flow
  const { folder } = loaded
  const { command, skipped } = flowCommand(flow, { folder, launcher, env: host.env })
  for (const reason of skipped)
    complain(host, 'ZCL_W_RUNTIME_FALLBACK', `${flow.flowId}: ${reason}`)
  const runId = plan.flows.find(({ flowId }) => flowId === flow.flowId)?.runId ?? ''
  const profile = resolveProfile(profileOptions(flow, loaded), suite)
  const ids = missions.missions.map(({ missionId }) => missionId)
  const runPlan: RunPlan = {
    schemaVersion: 1,
    runId,
    suiteId: suite.suiteId,
    createdAt: plan.createdAt,
    comparabilityKey: comparabilityKeyOf(suite, profile),
    total: ids.length,
    missions: ids,
    suiteDir: path.relative(outRoot, suiteFolder(flow, loaded)),
    ...(flow.suiteFile === undefined ? {} : { suiteFile: path.basename(flow.suiteFile) }),
    profile,
    envNames: environmentNames({ ...host.env, ...runner.env }),
    runner: [],
    runnerRedacted: true,
  }
  await ensureRun({ outRoot, runId, suiteId: suite.suiteId, suite, now: recordedNow(host) })
  if (!planExists(outRoot, runId)) await writePlan(outRoot, runPlan)
  const logs = new RunnerLogs(runFolder(outRoot, runId), redactorFor(host))
  const openSink = (attemptId: string) => logs.open(attemptId)
  const lab = openLab({ host, launcher, outRoot, plan: runPlan, suite, runner: command, openSink })
  const { strict, strictExpect } = runner
  const env = { ...lab.env, ...proxyVariables(flow), ...runner.env, ZCL_FLOW_ID: flow.flowId }
  return { lab: { ...lab, env, strict, strictExpect }, logs }
}

/** The folder that relative paths of the flow's suite start in. */
export function suiteFolder({ suiteFile }: FlowSpec, { folder }: LoadedSpec): string {
  return suiteFile === undefined ? folder : path.dirname(path.resolve(folder, suiteFile))
}

function profileOptions({ runner }: FlowSpec, { spec }: LoadedSpec) {
  const { finalization, toolDriver } = runner
  const channel = finalization?.resultChannel
  return {
    timeoutMs: runner.timeoutMs ?? spec.timeouts?.defaultAttemptTimeoutMs,
    mode: runner.mode,
    timeoutStart: runner.timeoutStart ?? spec.timeouts?.timeoutStart,
    feedbackPolicy: runner.feedbackPolicy,
    finalizationMode: finalization?.mode,
    resultChannel: channel?.kind,
    resultFile: channel?.path,
    resultMarker: channel?.marker,
    resultMinTurn: finalization?.minResultTurn,
    // zcl runs a native session as a process of its own.
    sessionIsolation: isNative(runner) ? 'process' : runner.sessionIsolation,
    shim: toolDriver?.shims ?? [],
    allowUnproven: spec.allowUnproven === true,
  }
}

/** Environment variables with limits for every `zcl mcp proxy` that the runner starts. */
function proxyVariables({ runner: { mcp = {} } }: FlowSpec): Record<string, string> {
  const { maxToolCalls, idleTimeoutMs, shutdownOnComplete } = mcp
  return {
    ...(maxToolCalls === undefined ? {} : { ZCL_MCP_MAX_TOOL_CALLS: String(maxToolCalls) }),
    ...(idleTimeoutMs === undefined ? {} : { ZCL_MCP_IDLE_TIMEOUT_MS: String(idleTimeoutMs) }),
    ...(shutdownOnComplete === undefined
      ? {}
      : { ZCL_MCP_SHUTDOWN_ON_COMPLETE: shutdownOnComplete ? '1' : '0' }),
  }
}

function isNative({ type, runtimeStrategies = [] }: FlowSpec['runner']): boolean {
  return type === 'codex_app_server' || runtimeStrategies.includes('codex_app_server')
}
