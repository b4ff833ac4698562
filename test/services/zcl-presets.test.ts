// `runner: {preset}` of a suite with the real agents and a loopback model. Skipped where an agent is not
// installed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../contract/zcl/project.ts'
import { builtProgram } from '../support/paths.ts'
import { runFile } from '../support/run-program.ts'
import { agentProgram, isInstalled, type AgentName } from './agents.ts'
import { scriptedModel } from './scripted-model.ts'
import { agentProfiles, type AgentProfile } from './zcl-agents.ts'

const root = mkdtempSync(path.join(tmpdir(), 'zcl-presets-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What a user would have configured instead of flags; no folder is trusted. */
const userFiles: Partial<Record<AgentName, Record<string, object>>> = {
  pi: { '.pi/agent/settings.json': { defaultProvider: 'loopback', defaultModel: 'scripted' } },
  gemini: {
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      model: { name: 'gemini-2.5-flash', skipNextSpeakerCheck: true },
    },
  },
}

describe.each(agentProfiles)('the preset $name', (agent) => {
  it.skipIf(!isInstalled(agent.name))(
    'starts the agent with the prompt, without questions',
    async () => {
      const { summary, asked, output } = await runPreset(agent)
      expect(summary, output).toMatchObject({ passed: 1, total: 1 })
      expect(asked).toContain('Say hi to the preset.')
    },
    120_000,
  )
})

/** Runs one mission whose agent makes one call and reports its answer. */
async function runPreset(agent: AgentProfile) {
  const zcl = builtProgram('zcl')
  const report = `'${zcl}' run -- echo hi && '${zcl}' feedback --ok --result hi`
  const model = await scriptedModel((results) =>
    results === 0 ? { calls: [agent.shell(report)] } : { text: 'Done.' },
  )
  const folder = path.join(root, agent.name)
  const home = path.join(folder, 'home')
  const setup = { modelUrl: model.url, mcp: [process.execPath, '--version'] }
  const files = { ...agent.files(setup), ...userFiles[agent.name] }
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), text)
  }
  const missions = [{ missionId: 'hi', prompt: 'Say hi to the preset.' }]
  const suite = { suiteId: 'presets', runner: { preset: agent.name }, workspace: {}, missions }
  writeFileSync(path.join(folder, 'suite.json'), JSON.stringify(suite))
  const args = ['suite', 'run', '--file', 'suite.json', '--home-template', home, '--json']
  const { TMPDIR = '/tmp', PATH = '/usr/bin:/bin' } = process.env
  const env = {
    ...agent.env(setup),
    PATH: `${path.dirname(agentProgram(agent.name))}:${PATH}`,
    HOME: folder,
    TMPDIR,
  }
  const ran = await runFile(zcl, [...args, '--timeout-ms', '100000'], { cwd: folder, env })
  const asked = JSON.stringify(model.requests[0]?.body)
  await model.close()
  return { summary: JSON.parse(ran.stdout) as Json, asked, output: ran.stdout + ran.stderr }
}
