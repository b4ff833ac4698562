// A project as the newest release of the original zcl leaves it: no chain, no ids of calls, an absolute
// path in run.report.json, events of a native runtime, and a campaign. The values are our own.

export const upstreamRun = '20260301-090000Z-0a1b2c'
export const upstreamCampaign = 'two-flows'

const startedAt = '2026-03-01T09:00:00.123456789Z'
const endedAt = '2026-03-01T09:00:20.5Z'
const missions = ['first-title', 'second-title'] as const

/** Files by their path in the project, which lies at `root`. */
export function upstreamProject(root: string): Map<string, string> {
  const files = new Map<string, string>()
  const put = (name: string, value: unknown) =>
    files.set(name, `${JSON.stringify(value, undefined, 2)}\n`)
  put('zcl.config.json', { schemaVersion: 1, outRoot: '.zcl' })
  const run = `.zcl/runs/${upstreamRun}`
  const head = { schemaVersion: 1, runId: upstreamRun, suiteId: 'titles' }
  put(`${run}/run.json`, { ...head, artifactLayoutVersion: 1, createdAt: startedAt })
  put(`${run}/suite.json`, {
    version: 1,
    suiteId: 'titles',
    defaults: { mode: 'discovery', timeoutMs: 60_000, feedbackPolicy: 'auto_fail' },
    missions: missions.map((missionId) => ({
      missionId,
      prompt: `Report ${missionId}`,
      expects: { ok: true, result: { type: 'json', requiredJsonPointers: ['/title'] } },
    })),
  })
  put(`${run}/run.report.json`, {
    ...{ ...head, ok: true, target: 'run', path: `${root}/${run}`, attempts: [] },
    aggregate: { attemptsTotal: 2, passed: 2, failed: 0 },
  })
  put(`${run}/suite.run.summary.json`, {
    ...{ ...head, ok: true, mode: 'discovery', comparabilityKey: 'sha256:0f0f', passed: 2 },
    ...{ failed: 0, attempts: [], createdAt: endedAt },
  })
  for (const [index, missionId] of missions.entries()) {
    const attemptId = `00${index + 1}-${missionId}-r1`
    putAttempt(`${run}/attempts/${attemptId}`, { ...ids, missionId, attemptId }, put, files)
  }
  putCampaign(put, files)
  return files
}

type Put = (name: string, value: unknown) => void

const ids = { runId: upstreamRun, suiteId: 'titles' }

function putAttempt(at: string, attempt: object, put: Put, files: Map<string, string>): void {
  const json = (name: string, value: object) =>
    put(`${at}/${name}`, { schemaVersion: 1, ...attempt, ...value })
  json('attempt.json', {
    ...{ agentId: 'thread-1', mode: 'discovery', startedAt, isolationModel: 'native_spawn' },
    ...{ timeoutMs: 60_000, timeoutStart: 'first_tool_call', timeoutStartedAt: startedAt },
    ...{ blind: true, blindTerms: ['zcl'], scratchDir: 'tmp/x', attemptEnvSh: 'attempt.env.sh' },
    nativeResult: {
      ...{ resultSource: 'phase_final_answer', phaseAware: true },
      ...{ commentaryMessagesObserved: 2, reasoningItemsObserved: 1 },
    },
  })
  files.set(`${at}/prompt.txt`, 'Report the title')
  files.set(`${at}/attempt.env.sh`, "export ZCL_RUN_ID='x'\n")
  json('attempt.runtime.env.json', {
    createdAt: startedAt,
    runtime: { isolationModel: 'native_spawn', runtimeId: 'codex_app_server' },
    prompt: { sourceKind: 'suite', sha256: 'e3b0c442', bytes: 16 },
    env: { explicit: { ZCL_RUN_ID: upstreamRun }, effective: {}, blockedKeys: ['OPENAI_API_KEY'] },
  })
  const resultJson = { title: 'Example' }
  json('feedback.json', { ok: true, resultJson, decisionTags: ['success'], createdAt: endedAt })
  json('runner.ref.json', { runner: 'codex', runtimeId: 'codex_app_server', transport: 'stdio' })
  json('runner.metrics.json', { runner: 'codex', model: 'gpt-5', totalTokens: 12, turnCount: 1 })
  json('oracle.verdict.json', {
    ...{ ok: true, evaluatorKind: 'builtin_rules', oracleVisibility: 'host_only' },
    ...{ policyDisposition: 'pass', mismatches: [], warnings: [], executedAt: endedAt },
  })
  json('attempt.report.json', {
    computedAt: endedAt,
    startedAt,
    endedAt,
    ok: true,
    metrics: {
      toolCallsTotal: 3,
      failuresTotal: 0,
      timeoutsTotal: 0,
      retriesTotal: 0,
      wallTimeMs: 20_000,
    },
    artifacts: { attemptJson: 'attempt.json', toolCallsJsonl: 'tool.calls.jsonl' },
  })
  const lines = events.map((event) => ({ v: 1, ts: startedAt, ...attempt, ...event }))
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  files.set(`${at}/tool.calls.jsonl`, text)
}

const io = { outBytes: 12, errBytes: 0 }
const ok = { ok: true, durationMs: 40 }
const native = (op: string) => ({
  ...{ tool: 'native', op, input: { eventName: op, threadId: 't' }, result: ok, io },
  enrichment: { native: { runtimeId: 'codex_app_server', eventName: op, turnId: '1' } },
})

const events: readonly object[] = [
  native('thread/started'),
  native('turn/started'),
  native('item/completed'),
  {
    ...{ tool: 'cli', op: 'exec', input: { argv: ['curl', '-s', 'https://example.com'] } },
    ...{ result: { ...ok, exitCode: 0 }, io, redactionsApplied: [] },
  },
  {
    ...{ tool: 'mcp', op: 'tools/call', input: { id: 1, method: 'tools/call', params: {} } },
    ...{ result: ok, io, redactionsApplied: [], integrity: { truncated: false } },
  },
  native('turn/completed'),
]

function putCampaign(put: Put, files: Map<string, string>): void {
  const at = `.zcl/campaigns/${upstreamCampaign}`
  const head = { schemaVersion: 1, campaignId: upstreamCampaign }
  const flowIds = ['plain', 'hinted']
  const attemptOf = (index: number, missionId: string) => `00${index + 1}-${missionId}-r1`
  put(`${at}/campaign.plan.json`, {
    ...{ ...head, specPath: '/home/me/campaign.yaml', createdAt: startedAt, updatedAt: endedAt },
    missions: missions.map((missionId, missionIndex) => ({ missionIndex, missionId })),
  })
  put(`${at}/campaign.run.state.json`, {
    ...{ ...head, runId: '20260301-085959Z-ffffff', status: 'valid' },
    ...{ specPath: '/home/me/campaign.yaml', outRoot: '.zcl', startedAt, updatedAt: endedAt },
    ...{ totalMissions: 2, missionsCompleted: 2, completedAt: endedAt },
    flowRuns: flowIds.map((flowId) => ({
      ...{ flowId, runnerType: 'codex_app_server', suiteFile: '', runId: upstreamRun },
      ...{ exitCode: 0, ok: true, attempts: [] },
    })),
  })
  const steps = missions.flatMap((missionId, missionIndex) =>
    flowIds.map((flowId) => ({
      ...{ ...head, createdAt: endedAt, flowId, missionIndex, missionId },
      ...{ runId: '20260301-085959Z-ffffff', attemptId: attemptOf(missionIndex, missionId) },
      attemptDir: `.zcl/runs/${upstreamRun}/attempts/${attemptOf(missionIndex, missionId)}`,
      idempotencyKey: `${upstreamCampaign}:${flowId}:${missionIndex}`,
      status: 'valid',
    })),
  )
  const lines = steps.map((step) => `${JSON.stringify(step)}\n`).join('')
  files.set(`${at}/campaign.progress.jsonl`, lines)
  put(`${at}/mission.prompts.json`, {
    ...{ ...head, createdAt: startedAt },
    prompts: missions.flatMap((missionId) =>
      flowIds.map((flowId) => ({ flowId, missionId, prompt: `${flowId}: report ${missionId}` })),
    ),
  })
  put('campaign.json', {
    ...{ ...head, campaignId: 'again' },
    missionSource: { path: `${at}/mission.prompts.json` },
    flows: flowIds.map((flowId) => ({
      ...{ flowId, runner: { type: 'process_cmd', command: ['true'] } },
    })),
  })
}
