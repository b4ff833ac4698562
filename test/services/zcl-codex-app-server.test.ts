// The runner `codex_app_server` with the real Codex: a mission with approvals, one that times out, and one in
// which the app server crashes. Skipped where Codex is not installed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTranscript } from '@zee/evidence/transcripts'
import { linesOf, readJson, type CallEvent, type Json } from '../contract/zcl/project.ts'
import { builtProgram } from '../support/paths.ts'
import { runFile, type Ran } from '../support/run-program.ts'
import { agentProgram, isInstalled } from './agents.ts'
import { answerTotal, scriptedModel, type ScriptedModel, type Step } from './scripted-model.ts'

const root = mkdtempSync(path.join(tmpdir(), 'zcl-app-server-'))
const missions = ['approval', 'timeout', 'crash']
let model: ScriptedModel
let ran: Ran

function stepOf(results: number, asked: string): Step {
  const run = (cmd: string): Step => ({ calls: [{ tool: 'exec_command', input: { cmd } }] })
  if (asked.includes('the approval')) {
    return [run('touch approved && echo fine'), run('exit 7')][results] ?? { text: 'Done.' }
  }
  if (results === 0) return run('echo waiting')
  // The timeout: the model never answers.
  return asked.includes('the crash') ? run('kill -9 $PPID; sleep 60') : { respond: () => {} }
}

async function runMissions(): Promise<Ran> {
  const config = `
model = "scripted"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${model.url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
  const home = path.join(root, 'home')
  mkdirSync(path.join(home, '.codex'), { recursive: true })
  writeFileSync(path.join(home, '.codex/config.toml'), config)
  const suite = {
    suiteId: 'native',
    workspace: {},
    missions: missions.map((missionId) => ({ missionId, prompt: `This is the ${missionId}.` })),
  }
  const file = path.join(root, 'suite.json')
  writeFileSync(file, JSON.stringify(suite))
  const zcl = builtProgram('zcl')
  const places = ['--file', file, '--out-root', path.join(root, 'out'), '--home-template', home]
  const flags = ['--parallel', '3', '--timeout-ms', '15000', '--json']
  const runner = [zcl, 'codex-app-server', '--approval-policy', 'untrusted']
  const policy = ['--approvals', 'accept', '--sandbox', 'danger-full-access']
  const args = ['suite', 'run', ...places, ...flags, '--', ...runner, ...policy]
  const env = { ZCL_CODEX_APP_SERVER_CMD: `${agentProgram('codex')} app-server` }
  return runFile(zcl, args, { cwd: root, env })
}

interface Attempt extends Json {
  missionId: string
  attemptDir: string
}

/** The attempt of a mission, with a reader of its artifacts. */
function attemptOf(mission: string) {
  const { attempts } = JSON.parse(ran.stdout) as { attempts: Attempt[] }
  const found = attempts.find(({ missionId }) => missionId === mission)
  if (found === undefined) throw new Error(`${mission} is not in ${ran.stdout}`)
  const at = (name: string) => path.join(root, found.attemptDir.replace(root, ''), name)
  return {
    ...found,
    json: (name: string) => readJson(at(name)),
    trace: linesOf(at('tool.calls.jsonl')) as unknown as CallEvent[],
  }
}

/** The calls in Codex's own log, with the commands as typed and whether they failed. */
function rolloutCalls(file: string): { command: unknown; isOk: boolean }[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const calls = new Map<string, { command: unknown; isOk: boolean }>()
  const nothing = () => {}
  const builder = {
    ...{ user: nothing, text: nothing, thinking: nothing, interrupted: nothing, receipt: nothing },
    unmapped: nothing,
    call: (_key: string, { id, input }: { id: string; input: Json }) =>
      void calls.set(id, { command: input.cmd, isOk: false }),
    result: ({ callId, isError }: { callId: string; isError: boolean }) => {
      const call = calls.get(callId)
      if (call !== undefined) call.isOk = !isError
    },
  }
  const records = lines.map((line) => JSON.parse(line) as Json)
  readTranscript('codex', builder, records, { fallbackId: '', file })
  return [...calls.values()]
}

describe.skipIf(!isInstalled('codex'))('codex_app_server', () => {
  beforeAll(async () => {
    model = await scriptedModel((results, { body }) => stepOf(results, JSON.stringify(body.input)))
    ran = await runMissions()
  }, 240_000)

  afterAll(async () => {
    await model.close()
    rmSync(root, { recursive: true, force: true })
  })

  it.each(missions)("records the calls of Codex's own log: the %s", (mission) => {
    const attempt = attemptOf(mission)
    const { rolloutPath } = attempt.json('runner.ref.json')
    const recorded = attempt.trace.map(({ input, result }) => ({
      command: /^\S+ -lc '?(.*?)'?$/s.exec(String((input as Json).command))?.[1],
      isOk: result.ok,
    }))
    expect(recorded).toEqual(rolloutCalls(String(rolloutPath)))
  })

  it('runs approved commands, and takes the final answer as the outcome', () => {
    const attempt = attemptOf('approval')
    expect(attempt).toMatchObject({ ok: true, outcome: 'passed' })
    expect(attempt.trace.map(({ enrichment, result }) => [enrichment?.approval, result])).toEqual([
      ['accept', expect.objectContaining({ ok: true, exitCode: 0 })],
      ['accept', expect.objectContaining({ ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 7 })],
    ])
    expect(attempt.json('feedback.json')).toMatchObject({ ok: true, result: 'Done.' })
    const numbers = { turnCount: 1, modelCalls: 3, toolCalls: 2, totalTokens: 3 * answerTotal }
    expect(attempt.json('runner.metrics.json')).toMatchObject({ ...numbers, model: 'scripted' })
  })

  it('ends at the deadline with the evidence so far', () => {
    const attempt = attemptOf('timeout')
    expect(attempt).toMatchObject({ ok: false, outcome: 'failed', code: 'ZCL_E_TIMEOUT' })
    const numbers = { modelCalls: 1, toolCalls: 1, totalTokens: answerTotal }
    expect(attempt.json('runner.metrics.json')).toMatchObject(numbers)
  })

  it('tells a crash as an infra failure with the call that was running', () => {
    const attempt = attemptOf('crash')
    expect(attempt).toMatchObject({ ok: false, outcome: 'infra', code: 'ZCL_E_RUNTIME_CRASH' })
    expect(attempt.trace.at(-1)?.result).toMatchObject({ ok: false, code: 'ZCL_E_RUNTIME_CRASH' })
  })
})
