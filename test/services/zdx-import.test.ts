// Logs that the real Claude Code, Codex, Gemini CLI, OpenCode and pi wrote in a conversation with a loopback
// model become zdx sessions with the same text, calls, results and usage.
import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runProcess } from '@zee/core/process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../support/paths.ts'
import type { AgentModel } from './agent-model.ts'
import { agentModel } from './agent-model.ts'
import { agentNames, isInstalled, type AgentName } from './agents.ts'
import { runAgent } from './run-agent.ts'

const prompt = 'What does the command print?'
const command = "printf 'out-%s' put-7"
/** Neither the prompt nor the command contains it. */
const printed = 'out-put-7'
const question = 'Let me run it.'
const answer = 'It prints the text that you saw.'

interface Conversation {
  args: readonly string[]
  call: { name: string; input: Record<string, unknown> }
  /** Tokens of both answers, as the model reports them. */
  usage: { input_tokens: number; output_tokens: number; cached_input_tokens: number }
}

const anthropicUsage = { input_tokens: 24, output_tokens: 14, cached_input_tokens: 0 }
const vendorUsage = { input_tokens: 40, output_tokens: 10, cached_input_tokens: 32 }
const shell = { command, description: 'Prints a text' }
const claudeModel = ['--model', 'claude-sonnet-4-5']

const conversations: Readonly<Record<AgentName, Conversation>> = {
  claude: {
    args: ['-p', prompt, ...claudeModel, '--allowedTools', 'Bash'],
    call: { name: 'Bash', input: shell },
    usage: anthropicUsage,
  },
  codex: {
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    call: { name: 'exec_command', input: { cmd: command } },
    usage: vendorUsage,
  },
  gemini: {
    args: ['-p', prompt, '--yolo', '--skip-trust'],
    call: { name: 'run_shell_command', input: shell },
    usage: vendorUsage,
  },
  opencode: {
    args: ['run', '--title', 'import', prompt],
    call: { name: 'bash', input: shell },
    usage: vendorUsage,
  },
  pi: {
    args: ['-p', '--provider', 'anthropic', ...claudeModel, prompt],
    call: { name: 'bash', input: { command } },
    usage: anthropicUsage,
  },
}

let folder: string
let model: AgentModel
let call: Conversation['call']
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-agent-logs-')))
  model = await agentModel(({ text }) =>
    text.includes(printed) ? { text: answer } : { text: question, calls: [call] },
  )
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Line {
  [field: string]: unknown
  type: string
  usage?: Record<string, number>
}

describe.each(agentNames)('a log of the real %s', (agent) => {
  test.skipIf(!isInstalled(agent))(
    'becomes a session with the same text, call, result and usage',
    async () => {
      const home = path.join(folder, agent, 'home')
      const project = path.join(folder, agent, 'project')
      for (const each of [home, project]) mkdirSync(each, { recursive: true })
      const { args, call: wanted, usage } = conversations[agent]
      call = wanted
      const place = { url: model.url, home, project, deadlineMs: 110_000 }
      const { output } = await runAgent(agent, args, place)
      expect(output).toContain(answer)
      const zdx = async (...words: string[]) => {
        const env = { PATH: process.env.PATH, HOME: home, ZDX_HOME: path.join(home, 'zdx') }
        const ran = await runProcess({
          command: builtProgram('zdx'),
          args: words,
          cwd: project,
          env,
          captureBytes: 1 << 20,
        })
        return ran.stdout.text() + ran.stderr.text()
      }
      expect(await zdx('sessions', 'import', agent)).toMatch(
        /1 imported, 0 updated, 0 unchanged.*; 0 records and 0 logs could not be read/,
      )
      const again = await zdx('sessions', 'import', agent)
      expect(again).toContain('0 imported, 0 updated, 1 unchanged')
      const { id } = JSON.parse(await zdx('sessions', 'list', '--format', 'json')) as { id: string }
      const file = path.join(home, 'zdx/sessions', `${id}.jsonl`)
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      checkSession(
        lines.map((line) => JSON.parse(line) as Line),
        // OpenCode quotes an argument with spaces.
        agent === 'opencode' ? JSON.stringify(prompt) : prompt,
        usage,
      )
    },
    240_000,
  )
})

function checkSession(lines: readonly Line[], typed: string, usage: Conversation['usage']): void {
  const ofType = (type: string) => lines.filter((line) => line.type === type)
  expect(ofType('message').map(({ role, text }) => [role, text])).toEqual([
    ['user', typed],
    ['assistant', question],
    ['assistant', answer],
  ])
  expect(ofType('tool_use')).toMatchObject([{ name: 'bash', input: { command } }])
  expect(ofType('tool_result')).toMatchObject([{ output: { ok: true, data: { exit_code: 0 } } }])
  expect(JSON.stringify(ofType('tool_result'))).toContain(printed)
  const usages = lines.flatMap(({ usage: each }) => (each === undefined ? [] : [each]))
  const sum = (name: string) => usages.reduce((total, each) => total + (each[name] ?? 0), 0)
  const sums = Object.keys(usage).map((name) => [name, sum(name)])
  expect(Object.fromEntries(sums)).toEqual(usage)
}
