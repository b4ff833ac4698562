// zeno with real coding agents: after `zeno skill install` they know the skill and call zeno's tools, and
// `uninstall` leaves their settings as they were. The recipes of docs/zeno.md run as they stand there.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { builtProgram, repository } from '../support/paths.ts'
import { runFile } from '../support/run-program.ts'
import { agentModel } from './agent-model.ts'
import type { AgentModel } from './agent-model.ts'
import { isInstalled } from './agents.ts'
import { runAgent } from './run-agent.ts'

/** Title in the docs, configuration of the project, and settings of a user that lie there already. */
const agents = [
  ['claude', 'Claude Code', '.mcp.json', '{\n\t"mcpServers": { }\n}'],
  ['codex', 'Codex', '.codex/config.toml', 'model_reasoning_summary = "none"'],
  ['gemini', 'Gemini CLI', '.gemini/settings.json', '{"ui": {"hideTips":true}}\n'],
  [
    'opencode',
    'OpenCode',
    'opencode.json',
    '{ "$schema": "https://opencode.ai/config.json",\n"snapshot":false }\n\n',
  ],
] as const

const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-zeno-agents-')))
const models: AgentModel[] = []
afterAll(async () => {
  for (const model of models) await model.close()
  rmSync(base, { recursive: true, force: true })
})

/** Codex waits one second for a server that is not required. */
const waitFlags: Partial<Record<string, string[]>> = {
  codex: ['-c', 'mcp_servers.zeno.required=true'],
}

const docs = readFileSync(path.join(repository, 'docs/zeno.md'), 'utf8')
const skillWords = 'search, read and cite exact lines'

describe.concurrent.each(agents)('zeno and %s', (agent, title, config, before) => {
  const recipe = recipeOf(title)

  it.skipIf(!isInstalled(agent))(
    'are connected by `zeno skill install`, and `uninstall` restores the settings',
    async () => {
      const at = await place(`${agent}-skill`)
      put(at.project, config, before)
      await skill(at.project, 'install', agent)
      await expectGrep(agent, [...recipe.args, ...(waitFlags[agent] ?? [])], at)
      expect(at.model.turns.some(({ text }) => text.includes(skillWords))).toBe(true)
      await skill(at.project, 'uninstall', agent)
      expect(readFileSync(path.join(at.project, config), 'utf8')).toBe(before)
      expect(existsSync(path.join(at.project, `.${agent}/skills`))).toBe(false)
    },
    170_000,
  )

  it.skipIf(!isInstalled(agent))(
    'are connected by the recipe in the docs',
    async () => {
      const at = await place(`${agent}-recipe`)
      put(recipe.file.startsWith('~/') ? at.home : at.project, recipe.file, `${recipe.config}\n`)
      await expectGrep(agent, recipe.args, at)
    },
    170_000,
  )
})

interface Place {
  home: string
  project: string
  url: string
  model: AgentModel
  deadlineMs: number
}

/** A git repository with one file, and a model that asks zeno for a word of it. */
async function place(name: string): Promise<Place> {
  const home = path.join(base, name, 'home')
  const project = path.join(base, name, 'project')
  mkdirSync(home, { recursive: true })
  put(project, 'src/cart.ts', 'export const sum = 1\nexport const total = 2\n')
  execFileSync('git', ['init', '-q', project])
  const model = await agentModel(({ tools, results }) => {
    const grep = tools.find((tool) => /zeno_+grep$/.test(tool))
    if (grep === undefined) return { text: 'no tools of zeno' }
    if (results.length > 0) return { text: 'answered with zeno' }
    return { calls: [{ name: grep, input: { pattern: 'total' } }] }
  })
  models.push(model)
  return { home, project, url: model.url, model, deadlineMs: 150_000 }
}

/** The agent offers zeno's tools to the model, calls the one that the model names, and returns its result. */
async function expectGrep(
  agent: (typeof agents)[number][0],
  args: string[],
  at: Place,
): Promise<void> {
  const { output } = await runAgent(agent, args, at)
  const offered = at.model.turns.flatMap(({ tools }) => tools)
  for (const tool of ['grep', 'read_file', 'list_files']) {
    expect(offered, output).toContainEqual(expect.stringMatching(new RegExp(`zeno_+${tool}$`)))
  }
  const results = at.model.turns.flatMap(({ results }) => results)
  expect(results.join('\n'), output).toContain('2: export const total = 2')
  expect(output).toContain('answered with zeno')
}

async function skill(project: string, command: string, agent: string): Promise<void> {
  const ran = await runFile(builtProgram('zeno'), ['skill', command, '--for', agent], {
    cwd: project,
  })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
}

/** The file, its text and the arguments of the command that docs/zeno.md shows for an agent. */
function recipeOf(title: string): { file: string; config: string; args: string[] } {
  const text = docs.slice(docs.indexOf(`**${title}**:`))
  const [, files = '', config = '', command = ''] =
    /^(.*)\n\n```(?:json|toml)\n([^]*?)\n```\n\n```sh\n(.*)\n```/.exec(text) ?? []
  const file = /`([^`\s]+)`[^`]*$/.exec(files)?.[1] ?? ''
  const words = command.match(/"[^"]*"|\S+/g) ?? []
  return { file, config, args: words.slice(1).map((word) => word.replaceAll('"', '')) }
}

function put(folder: string, name: string, text: string): void {
  const file = path.join(folder, name.replace(/^~\//, ''))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
