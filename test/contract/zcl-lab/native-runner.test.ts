// The runner `codex_app_server` against a stand-in for the app server, presets, and campaigns of the
// original zcl.
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { asProcess } from '../run-here.ts'
import type { Json } from '../zcl/project.ts'
import { LabProject, type SuiteRun } from './lab-project.ts'

const project = new LabProject()
let run: SuiteRun

/** Speaks the protocol of `codex app-server`: one command that needs approval, then an answer. */
const server = `
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const item = { type: 'commandExecution', id: 'i1', command: 'echo hi', cwd: '/' }
const turn = (status, error = null) => send({ method: 'turn/completed', params: { turn: { status, error } } })
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: {} })
  if (method === 'thread/start') send({ id, result: { thread: { id: 't1', path: '/log' }, model: params.model } })
  if (method === 'turn/start') {
    send({ id, result: { turn: {} } })
    const prompt = params.input[0].text
    if (prompt === 'crash') process.exit(3)
    if (prompt === 'limit') return turn('failed', { message: 'slow down', codexErrorInfo: 'usageLimitExceeded' })
    send({ method: 'item/started', params: { item } })
    send({ id: 'a1', method: 'item/commandExecution/requestApproval', params: { itemId: 'i1' } })
  }
  if (id === 'a1' && result !== undefined) {
    const ok = result.decision === 'accept'
    const status = ok ? 'completed' : 'declined'
    send({ method: 'item/completed', params: { item: { type: 'reasoning', id: 'i0', summary: ['I say hi.'], content: [] } } })
    send({ method: 'item/completed', params: { item: { ...item, status, exitCode: ok ? 0 : null, aggregatedOutput: 'hi\\n' } } })
    send({ method: 'item/completed', params: { item: { type: 'agentMessage', id: 'i2', text: 'hi it is' } } })
    const total = { totalTokens: 15, inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningOutputTokens: 1 }
    send({ method: 'thread/tokenUsage/updated', params: { tokenUsage: { total } } })
    turn('completed')
  }
})
`

beforeAll(async () => {
  const file = project.write('server.cjs', server)
  project.suite(['talk', 'crash', 'limit'].map((prompt) => ({ missionId: prompt, prompt })))
  run = await project.suiteRun(
    ['--parallel', '3'],
    [builtProgram('zcl'), 'codex-app-server', '--model', 'm', '--approvals', 'accept'],
    { ZCL_CODEX_APP_SERVER_CMD: `${process.execPath} ${file}` },
  )
})
afterAll(() => project.remove())

test('the native runner records items, messages, tokens and the final answer', () => {
  const attempt = run.json.attempts.find(({ missionId }) => missionId === 'talk')
  expect(attempt).toMatchObject({ ok: true, outcome: 'passed' })
  const folder = path.join(run.folder, 'attempts', attempt?.attemptId ?? '')
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  expect(JSON.parse(read('tool.calls.jsonl'))).toMatchObject({
    tool: 'native',
    op: 'commandExecution',
    input: { command: 'echo hi' },
    result: { ok: true, exitCode: 0 },
    io: { outPreview: 'hi\n' },
  })
  const messages = read('messages.jsonl').trim().split('\n')
  expect(messages.map((line) => (JSON.parse(line) as Json).text)).toEqual([
    'talk',
    'I say hi.',
    'hi it is',
  ])
  expect(JSON.parse(read('runner.metrics.json'))).toMatchObject({
    model: 'm',
    totalTokens: 15,
    inputTokens: 6,
    toolCalls: 1,
  })
  expect(JSON.parse(read('runner.ref.json'))).toMatchObject({ threadId: 't1', rolloutPath: '/log' })
  expect(JSON.parse(read('feedback.json'))).toMatchObject({ ok: true, result: 'hi it is' })
})

test('failures of the app server are typed infra failures', () => {
  const codes = run.json.attempts.map(({ missionId, outcome, code }) => [missionId, outcome, code])
  expect(codes.slice(1)).toEqual([
    ['crash', 'infra', 'ZCL_E_RUNTIME_CRASH'],
    ['limit', 'infra', 'ZCL_E_RUNTIME_RATE_LIMIT'],
  ])
})

test.each([
  { preset: 'codex_app_server', model: 'm', approvals: 'accept' },
  { type: 'codex_app_server', model: 'm', approvals: 'accept' },
])('a suite names the native runner and its settings: %j', async (runner) => {
  const native = new LabProject()
  const file = native.write('server.cjs', server)
  native.suite([{ missionId: 'talk', prompt: 'talk' }], { runner })
  const args = ['suite', 'run', '--file', 'suite.json', '--json']
  const env = { ...asProcess, ZCL_CODEX_APP_SERVER_CMD: `${process.execPath} ${file}` }
  const ran = native.answerOf(await native.zcl(args, { env }))
  expect(ran.json.passed, ran.err).toBe(1)
  const metrics = native.artifact(ran, '001-talk-r1', 'runner.metrics.json')
  expect(metrics).toMatchObject({ model: 'm', toolCalls: 1 })
  native.remove()
})

test('a campaign takes presets, native runners and the keys of the original zcl', async () => {
  project.write('missions/one.md', 'Say hello.')
  project.write(
    'rules.yaml',
    'requiredJsonPointers: [/proof]\nplaceholderValues:\n  - null\n  - "n/a"\n  - todo\n',
  )
  const native = {
    type: 'codex_app_server',
    model: 'gpt',
    modelReasoningEffort: 'medium',
    modelReasoningPolicy: 'best_effort',
    sessionIsolation: 'native',
    runtimeStrategies: ['codex_app_server'],
    mode: 'discovery',
    timeoutStart: 'first_tool_call',
    cwd: { mode: 'temp_empty_per_attempt', basePath: '/tmp/x', retain: 'on_failure' },
  }
  project.write('campaign.json', {
    schemaVersion: 1,
    campaignId: 'mixed',
    totalMissions: 0,
    missionSource: { path: 'missions' },
    semantic: { enabled: true, rulesPath: 'rules.yaml' },
    cleanup: { beforeMission: ['touch cleaned || true', 'rm -rf ./none || true'] },
    output: { resultsMdPath: 'R.md', publishCheck: 'required', progressJsonl: 'p.jsonl' },
    invalidRunPolicy: { statuses: ['valid'], publishRequiresValid: true, forceFlag: '--force' },
    flows: [
      { flowId: 'a', runner: native, adapterContract: { requiredOutputFields: ['status'] } },
      { flowId: 'b', runner: { preset: 'claude' } },
    ],
  })
  const linted = await project.zcl(['campaign', 'lint', '--spec', 'campaign.json'])
  expect(linted, linted.err).toMatchObject({ code: 0 })
  expect(linted.out).toContain('mixed: 1 missions, 2 flows')
})

test('a preset starts its agent with the prompt of the attempt', async () => {
  const claude = project.write(
    'bin/claude',
    '#!/bin/sh\necho "ZCL_RESULT_JSON:{\\"ok\\":true,\\"result\\":\\"$(cat)\\"}"\n',
  )
  chmodSync(claude, 0o755)
  project.write('preset.json', {
    schemaVersion: 1,
    campaignId: 'preset',
    allowUnproven: true,
    missionSource: { path: 'missions' },
    flows: [
      {
        flowId: 'claude',
        runner: {
          preset: 'claude',
          finalization: { mode: 'auto_from_result_json', resultChannel: { kind: 'stdout_json' } },
        },
      },
    ],
  })
  const PATH = `${project.folder}/bin:${process.env.PATH}`
  const ran = await project.zcl(['campaign', 'run', '--spec', 'preset.json', '--json'], {
    env: { PATH },
  })
  expect(ran.code, ran.err).toBe(0)
  expect(JSON.parse(ran.out)).toMatchObject({ status: 'valid' })
})
