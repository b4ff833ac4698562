// `zee setup` with real coding agents: the agent starts with the settings, is offered zeno's tools and calls one, zcl's
// hooks record the call inside an attempt, and --undo restores every byte.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.ts'
import { agentModel } from './agent-model.ts'
import { isInstalled } from './agents.ts'
import { runAgent } from './run-agent.ts'

/** Settings of a user that lie there already, and the arguments of one prompt. */
const agents = [
  [
    'claude',
    '.claude/settings.json',
    '{"permissions": {"allow": ["Bash(ls:*)"]},\t"hooks": {}}',
    ['-p', 'Where?', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__zeno__grep'],
  ],
  [
    'codex',
    '.codex/config.toml',
    'model_reasoning_effort = "low"',
    // Codex runs hooks only after the user has confirmed them.
    [
      'exec',
      '--skip-git-repo-check',
      '-s',
      'danger-full-access',
      '--dangerously-bypass-hook-trust',
    ].concat(['-c', 'mcp_servers.zeno.required=true', 'Where?']),
  ],
  [
    'gemini',
    '.gemini/settings.json',
    '{\n    "ui": { "hideTips": true }\n}\n',
    ['-y', '-p', 'Where?'],
  ],
  [
    'opencode',
    'opencode.json',
    '{ "$schema": "https://opencode.ai/config.json", "username": "me" }\n',
    ['run', 'Where?'],
  ],
] as const

const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-setup-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe.concurrent.each(agents)('zee setup %s', (agent, file, text, args) => {
  const home = path.join(base, agent, 'home')
  const project = path.join(base, agent, 'project')
  const run = (program: 'zee' | 'zcl', ...words: string[]) =>
    runProgram(program, words, { cwd: project, env: { HOME: home } })

  it.skipIf(!isInstalled(agent))(
    'connects the agent with zeno and zcl, and --undo restores its settings byte for byte',
    async () => {
      mkdirSync(home, { recursive: true })
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
      writeFileSync(path.join(project, file), text)
      writeFileSync(path.join(project, 'notes.txt'), 'The lighthouse is in the harbour.\n')
      const untouched = contents(project)
      expect(await run('zee', 'setup', agent)).toMatchObject({ code: 0, stderr: '' })
      const started = await run(
        'zcl',
        'attempt',
        'start',
        '--suite',
        's',
        '--mission',
        'm',
        '--json',
      )
      const attempt = JSON.parse(started.stdout) as {
        outDirAbs: string
        env: Record<string, string>
      }
      const model = await agentModel(({ tools, results }) => {
        const name = tools.find((tool) => /zeno_+grep$/.test(tool))
        if (name === undefined || results.length > 0) return { text: 'It is in the harbour.' }
        return { calls: [{ name, input: { pattern: 'lighthouse' } }] }
      })
      try {
        const at = { url: model.url, home, project, deadlineMs: 150_000, env: attempt.env }
        const { output } = await runAgent(agent, args, at)
        expect(output).toContain('It is in the harbour.')
        const results = model.turns.flatMap((turn) => turn.results)
        expect(results.join('\n'), output).toContain('1: The lighthouse is in the harbour.')
      } finally {
        await model.close()
      }
      const trace = readFileSync(path.join(attempt.outDirAbs, 'tool.calls.jsonl'), 'utf8')
      expect(JSON.parse(trace.trim().split('\n')[0] ?? '')).toMatchObject({
        tool: agent,
        op: expect.stringMatching(/zeno_+grep$/) as string,
        input: { pattern: 'lighthouse' },
        result: { ok: true },
      })
      expect(await run('zee', 'setup', agent, '--undo')).toMatchObject({ code: 0 })
      expect(contents(project)).toEqual(untouched)
    },
    170_000,
  )
})

/** The files with their bytes, without those that the attempt and OpenCode make. */
function contents(project: string): Record<string, string> {
  const made = /^(\.zcl|zcl\.config|\.opencode\/(\.gitignore|package|node_modules))/
  return Object.fromEntries(
    readdirSync(project, { recursive: true, encoding: 'utf8' })
      .filter((name) => !made.test(name) && statSync(path.join(project, name)).isFile())
      .map((name) => [name, readFileSync(path.join(project, name), 'latin1')]),
  )
}
