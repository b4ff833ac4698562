// Writes a project with every kind of artifact that zcl or the original zcl writes: two runs, one of
// them a baseline, a campaign, a suite file and logs of agents. Tests damage copies of it.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { soundLogs } from './sound-logs.ts'

export const soundRuns = ['20260215-180012Z-09c5a6', '20260215-180013Z-09c5a6'] as const
export const soundAttempts = ['001-m-r1', '002-m-r2'] as const
export const soundTime = '2026-02-15T18:00:12.000Z'

/** Files by their path in the project. */
export function soundProject(): Map<string, string> {
  const files = new Map<string, string>()
  const put = (name: string, value: unknown) => files.set(name, `${JSON.stringify(value)}\n`)
  for (const runId of soundRuns) putRun(runId, put, files)
  putCampaign(put, files)
  put('zcl.config.json', { schemaVersion: 1, outRoot: '.zcl' })
  put('suite.json', suite)
  put('patch.json', { stdout: 'patched' })
  put('rules.json', { requireToolOps: ['exec'] })
  putQueue(soundRuns[0], put)
  for (const [name, text] of soundLogs()) files.set(name, text)
  return files
}

export function writeFiles(root: string, files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
}

/** The rest of the profile of a plan. */
const planned = {
  finalizationMode: 'auto_from_result_json',
  resultChannel: { kind: 'stdout_json', path: 'r.json', marker: 'RESULT:', minTurn: 0 },
  blind: true,
  blindTerms: ['zcl'],
  captureRunnerIo: true,
}

type Put = (name: string, value: unknown) => void

const expects = {
  ok: true,
  result: { type: 'string', pattern: 'x' },
  trace: { maxToolCallsTotal: 9 },
  semantic: { requireToolOps: ['exec'] },
}
const suite = { suiteId: 's', version: 1, missions: [{ missionId: 'm', prompt: 'p', expects }] }

function putRun(runId: string, put: Put, files: Map<string, string>): void {
  const at = `.zcl/runs/${runId}`
  const run = { schemaVersion: 1, runId, suiteId: 's', createdAt: soundTime }
  put(`${at}/run.json`, { ...run, artifactLayoutVersion: 1 })
  put(`${at}/suite.json`, suite)
  const profile = { mode: 'discovery', feedbackPolicy: 'auto_fail', sessionIsolation: 'process' }
  const plan = { ...run, comparabilityKey: 'k', total: 2, missions: ['m'], runner: ['agent'] }
  put(`${at}/suite.run.plan.json`, {
    ...plan,
    profile: { ...profile, ...planned, shims: ['git'], inject: ['error:0.5'], injectSeed: 1 },
  })
  put(`${at}/suite.run.summary.json`, { ...run, ...profile, comparabilityKey: 'k', attempts: [] })
  put(`${at}/run.report.json`, {
    ...{ schemaVersion: 1, ok: true, target: 'run', runId, suiteId: 's', path: `/x/${runId}` },
    ...{ attempts: [], aggregate: { attemptsTotal: 0, passed: 0, failed: 0 } },
  })
  for (const attemptId of soundAttempts) {
    const ids = { runId, suiteId: 's', missionId: 'm', attemptId }
    putAttempt(`${at}/attempts/${attemptId}`, ids, put, files)
  }
}

type Ids = { runId: string; suiteId: string; missionId: string; attemptId: string }

function putAttempt(at: string, ids: Ids, put: Put, files: Map<string, string>): void {
  const file = (name: string, value: object) =>
    put(`${at}/${name}`, { schemaVersion: 1, ...ids, ...value })
  const lines = (name: string, ...values: object[]) => {
    const stamped = values.map((value) => ({ v: 1, ts: soundTime, ...ids, ...value }))
    files.set(`${at}/${name}`, stamped.map((value) => `${JSON.stringify(value)}\n`).join(''))
  }
  const retried = ids.attemptId.endsWith('-r2') ? { supersedes: '002-m-r1' } : {}
  const native = { resultSource: 'phase_final_answer', phaseAware: true }
  file('attempt.json', {
    ...{ mode: 'discovery', startedAt: soundTime, shims: ['git'], blindTerms: ['zcl'], ...retried },
    nativeResult: { ...native, commentaryMessagesObserved: 1, reasoningItemsObserved: 0 },
  })
  file('feedback.json', { ok: true, result: 'x', createdAt: soundTime, redactionsApplied: [] })
  files.set(`${at}/prompt.txt`, 'p')
  lines('tool.calls.jsonl', ...events(at, files, lines))
  lines('tool.begins.jsonl', { id: 'a', tool: 'cli', op: 'exec', recorder: '1:2' })
  lines('notes.jsonl', { kind: 'agent', message: 'x' }, { kind: 'system', data: { a: 1 } })
  lines('messages.jsonl', { role: 'assistant', kind: 'text', text: 'hello', afterCalls: 1 })
  lines('served.jsonl', { question: 'ls', index: 0 })
  file('runner.metrics.json', { runner: 'codex', model: 'gpt-5', inputTokens: 5, outputTokens: 7 })
  file('runner.ref.json', { runner: 'codex', rolloutPath: '/x/rollout.jsonl', threadId: 't' })
  file('attempt.outcome.json', { outcome: 'passed', slot: 1, retry: 1, durationMs: 5 })
  file('oracle.verdict.json', { ok: true, mismatches: [{ field: '/a', class: 'format' }] })
  file('verify.result.json', { ok: true, commands: [{ command: ['t'], exitCode: 0 }] })
  file('score.result.json', { ok: true, score: 1, scores: [{ kind: 'exact', score: 1 }] })
  file('judge.result.json', { ok: true, score: 1, votes: [{ ok: true, score: 1, reason: 'r' }] })
  file('harness.record.json', { events: 3, chain: 'c', processes: [] })
  file('workspace.json', { source: 'path', retain: 'always', changed: ['a'] })
  file('fork.json', { source: { runId: 'r', attemptId: 'a' }, at: 1, divergence: null })
  file('attempt.runtime.env.json', { env: { explicit: { ZCL_RUN_ID: ids.runId } }, prompt: {} })
  files.set(`${at}/workspace.diff`, '--- a\n+++ b\n')
  files.set(`${at}/attempt.env.sh`, 'export ZCL_RUN_ID=x\n')
  files.set(`${at}/runner.command.txt`, 'agent\n')
  files.set(`${at}/runner.stdout.log`, 'out\n')
}

type PutLines = (name: string, ...values: object[]) => void

function events(at: string, files: Map<string, string>, lines: PutLines): object[] {
  const event = (tool: string, op: string, input: object, enrichment: object) => ({
    ...{ tool, op, input, id: `${tool}${op}`, redactionsApplied: [], enrichment },
    result: { ok: tool !== 'mcp', code: 'X', durationMs: 5 },
    io: { outBytes: 3, errBytes: 0, outPreview: 'abc' },
    warnings: [{ code: 'ZCL_W_MCP_UNKNOWN_METHOD', message: 'x' }],
    integrity: { truncated: false },
  })
  const capture = {
    stdoutPath: 'captures/cli/1.stdout.log',
    stderrPath: 'captures/cli/1.stderr.log',
  }
  for (const name of Object.values(capture)) files.set(`${at}/${name}`, 'abc')
  const sha256 = createHash('sha256').update('abc').digest('hex')
  const captured = {
    ...{ tool: 'cli', op: 'exec', input: { argv: ['ls'] }, ...capture },
    ...{ stdoutBytes: 3, stderrBytes: 3, stdoutSha256: sha256, stderrSha256: sha256 },
    ...{ stdoutTruncated: false, stderrTruncated: false, redacted: true, maxBytes: 9 },
  }
  lines('captures.jsonl', captured)
  const call = { id: 1, method: 'tools/call', params: { name: 't', arguments: { a: 1 } } }
  const http = { method: 'POST', url: 'http://x/', body: '{}' }
  return [
    event('cli', 'exec', { argv: ['ls', '--help'] }, { capture }),
    event('mcp', 'tools/call', call, { mcpError: { code: -1, message: 'm' } }),
    event('http', 'request', http, { http: { status: 200, usage: { inputTokens: 1 } } }),
    event('native', 'item/completed', { method: 'item/completed' }, { runtime: 'codex' }),
  ]
}

/** A queue with one job that waits and one that a dead worker left. */
function putQueue(runId: string, put: Put): void {
  const at = `.zcl/queue/${runId}`
  put(`${at}/jobs.jsonl`, { runId, slot: 1, missionId: 'm' })
  put(`${at}/cursor.json`, { offset: 0 })
  put(`${at}/leased/2.json`, { job: { runId, slot: 2, missionId: 'm' }, deliveries: 1 })
}

function putCampaign(put: Put, files: Map<string, string>): void {
  const at = '.zcl/campaigns/c'
  const head = { schemaVersion: 1, campaignId: 'c', createdAt: soundTime }
  const [runId] = soundRuns
  const flows = [{ flowId: 'f', runId }]
  put(`${at}/campaign.plan.json`, { ...head, specHash: 'h', missions: ['m'], flows })
  put(`${at}/campaign.run.state.json`, {
    ...{ ...head, status: 'valid', startedAt: soundTime, updatedAt: soundTime },
    ...{ missionsTotal: 1, missionsDone: 1, running: [] },
  })
  put(`${at}/campaign.progress.jsonl`, {
    ...{ v: 1, ts: soundTime, idempotencyKey: 'c:f:0', campaignId: 'c', flowId: 'f' },
    ...{ missionIndex: 0, missionId: 'm', runId, attemptId: '001-m-r1', outcome: 'passed' },
    ...{ claimedOk: true, verifiedOk: true, bucket: null, codes: [], durationMs: 5 },
  })
  put('campaign.json', {
    ...{ schemaVersion: 1, campaignId: 'c', missionSource: { path: 'missions' } },
    flows: [{ flowId: 'f', runner: { type: 'process_cmd', command: ['/bin/true'] } }],
  })
  files.set('missions/m.md', 'do m')
}
