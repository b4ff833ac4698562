import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readJson } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const flow = (flowId: string, limit: number) => ({
  flowId,
  runner: {
    type: 'process_cmd',
    command: ['./agent.sh'],
    env: { LIMIT: String(limit) },
    finalization: { mode: 'auto_from_result_json', resultChannel: { kind: 'stdout_json' } },
  },
})

/** Runs a campaign of two flows, one of which fails more often. */
async function campaign(): Promise<string[]> {
  for (const name of ['ärger', 'Zoo', 'apple', '10']) lab.write(`m/${name}.md`, name)
  lab.agent(
    `zcl run -- printf '%s' "$ZCL_MISSION_ID" >/dev/null
n=$(printf '%s' "$ZCL_MISSION_ID" | wc -c); ok=true; [ "$n" -le "$LIMIT" ] || ok=false
echo "ZCL_RESULT_JSON:{\\"ok\\":$ok,\\"answer\\":\\"x\\"}"`,
  )
  lab.write('campaign.yaml', {
    schemaVersion: 1,
    campaignId: 'bytes',
    missionSource: { path: 'm' },
    flows: [flow('a', 9), flow('b', 3)],
  })
  const { code } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
  expect(code).toBe(0)
  const plan = readJson(path.join(lab.outRoot, 'campaigns/bytes/campaign.plan.json'))
  return (plan.flows as { runId: string }[]).map(({ runId }) => runId)
}

test('reports of the same runs with the same seed have the same bytes in any folder', async () => {
  const [a = '', b = ''] = await campaign()
  const other = path.join(lab.root, 'moved somewhere/else')
  cpSync(lab.folder, other, { recursive: true })
  const seeded = ['--seed', '7', '--resamples', '2000']
  const commands = [
    ...['text', 'json', 'markdown', 'junit'].map((format) => [
      ...['compare', a, b, ...seeded, '--format', format],
    ]),
    ['compare', a, b, ...seeded, '--json'],
    ['stats', a, b, ...seeded, '--json'],
    ['stats', a, b, ...seeded],
    ['report', '--json', path.join('.zcl/runs', a)],
    ['report', path.join('.zcl/runs', b)],
    ['campaign', 'report', '--campaign-id', 'bytes', '--json'],
    ['campaign', 'report', '--spec', 'campaign.yaml'],
    ['campaign', 'publish-check', '--campaign-id', 'bytes', '--json'],
    ['expect', '--json', path.join('.zcl/runs', a)],
    ['query', 'select * from attempts order by all', '--format', 'csv'],
    ['query', 'select missionId, outcome, toolCalls from attempts order by all'],
  ]
  const [here, there] = await Promise.all([
    answers(commands, lab.folder, { TZ: 'Pacific/Chatham', LANG: 'C', LC_ALL: 'C' }),
    answers(commands, other, {
      TZ: 'America/St_Johns',
      LANG: 'sv_SE.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
    }),
  ])
  expect(there).toEqual(here)
  expect(here.some(({ code }) => code === 1)).toBe(false)
  expect(filesBelow(path.join(other, '.zcl'))).toEqual(filesBelow(lab.outRoot))
})

async function answers(commands: readonly string[][], cwd: string, env: Record<string, string>) {
  const results = []
  for (const command of commands) {
    const fixed = { ZCL_NOW: '2026-02-03T04:05:06Z', ...env }
    const { code, out, err } = await lab.zcl(command, { cwd, env: fixed })
    results.push({ command, code, out, err })
  }
  return results
}

/** The contents of all files below runs/ and campaigns/, without caches and scratch folders. */
function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const kept = names.filter((name) => /^(?:runs|campaigns)\//.test(name)).sort()
  return Object.fromEntries(
    kept
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )
}
