// zino's memory for other agents: real coding agents start `zino mcp`, add a memory and find it again.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../contract/zino/sandbox.ts'
import { builtProgram } from '../support/paths.ts'
import type { AgentModel } from './agent-model.ts'
import { agentModel } from './agent-model.ts'
import { isInstalled } from './agents.ts'
import { runAgent } from './run-agent.ts'

let box: Sandbox
const models: AgentModel[] = []
beforeAll(async () => {
  box = new Sandbox()
  await box.serve('mem')
})
afterAll(async () => {
  for (const model of models) await model.close()
  await box.remove()
})

const server = () => ({ command: builtProgram('zino'), args: ['mcp', '--config', box.config] })

const agents = {
  claude: {
    file: 'project/.mcp.json',
    config: () => JSON.stringify({ mcpServers: { zino: server() } }),
    args: ['-p', 'remember it', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__zino'],
  },
  codex: {
    file: 'home/.codex/config.toml',
    config: () =>
      `[mcp_servers.zino]\ncommand = ${JSON.stringify(server().command)}\n` +
      `args = ${JSON.stringify(server().args)}\nrequired = true\ndefault_tools_approval_mode = "approve"\n`,
    args: ['exec', '--skip-git-repo-check', 'remember it'],
  },
} as const

describe.each(['claude', 'codex'] as const)('zino mcp with %s', (agent) => {
  it.skipIf(!isInstalled(agent))('adds a memory and finds it', { timeout: 120_000 }, async () => {
    const folder = path.join(realpathSync(box.folder), agent)
    const at = { home: path.join(folder, 'home'), project: path.join(folder, 'project') }
    for (const each of Object.values(at)) mkdirSync(each, { recursive: true })
    const { file, config, args } = agents[agent]
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), config())
    const model = await agentModel(({ tools, results }) => {
      const tool = (name: string) => tools.find((each) => each.endsWith(name)) ?? name
      const content = `the ${agent} keeps bees`
      if (results.length === 0) return { calls: [{ name: tool('memory_add'), input: { content } }] }
      const input = { query: 'who keeps bees?' }
      if (results.length === 1) return { calls: [{ name: tool('memory_search'), input }] }
      return { text: 'all remembered' }
    })
    models.push(model)
    const { output } = await runAgent(agent, args, { ...at, url: model.url, deadlineMs: 100_000 })
    expect(output).toContain('all remembered')
    const results = model.turns.flatMap((turn) => turn.results).join('\n')
    expect(results, output).toContain(`the ${agent} keeps bees`)
    const found = await box.ask('mem', { type: 'search_hard', query: `${agent} bees` })
    expect(JSON.stringify(found)).toContain(`the ${agent} keeps bees`)
  })
})
