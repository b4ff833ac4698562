// zdx beside other coding agents: the start, and one prompt with a short answer from a loopback model. Agents that are
// not installed (node build/install-agents.mjs) are left out.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { agentModel, type AgentModel } from '../test/services/agent-model.ts'
import { agentNames, agentProgram, isInstalled, type AgentName } from '../test/services/agents.ts'
import { prepareAgent } from '../test/services/run-agent.ts'
import type { Case, CommandVariant, Place } from './harness/case.ts'

const peers = agentNames.filter(isInstalled)
const prompt = 'Say hello.'

/** The arguments of one prompt without a conversation. */
const promptArgs: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['-p', prompt],
  codex: ['exec', '--skip-git-repo-check', prompt],
  gemini: ['-p', prompt],
  opencode: ['run', prompt],
  pi: ['-p', prompt],
}

export const cases: readonly Case[] = [
  {
    name: 'start',
    question: 'what does --version of zdx cost beside other agents?',
    repetitions: 3,
    variants: [
      { name: 'zdx', command: (place) => [place.node, zdxOf(place), '--version'] },
      ...peers.map((agent) => ({
        name: agent,
        command: (place: Place) => [
          'env',
          `HOME=${place.scratch}`,
          agentProgram(agent),
          '--version',
        ],
      })),
    ],
    goals: peers.map((agent) => ({
      variant: 'zdx',
      figure: 'cpu' as const,
      atMost: 1,
      peer: agent,
    })),
  },
  {
    name: 'prompt',
    question:
      'what does one prompt with a short answer cost? (prints the bytes of the first request)',
    repetitions: 3,
    prepare: preparePrompts,
    variants: [
      { name: 'zdx', command: (place) => promptCommand(place, 'zdx') },
      ...peers.map((agent): CommandVariant => ({
        name: agent,
        command: (place) => promptCommand(place, agent),
      })),
    ],
    goals: peers.map((agent) => ({
      variant: 'zdx',
      figure: 'cpu' as const,
      atMost: 1,
      peer: agent,
    })),
  },
]

function zdxOf(place: Pick<Place, 'repository'>): string {
  return path.join(place.repository, 'packages/zdx/bin/zdx.cjs')
}

/** The command line that `prepare` has stored, with its environment. */
function promptCommand({ scratch }: Place, agent: string): readonly string[] {
  const file = path.join(scratch, `command-${agent}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as string[]
}

/** The model ends with the process of the bench. */
async function preparePrompts(scratch: string): Promise<void> {
  const model = await agentModel(() => ({ text: 'Hello.' }))
  const project = path.join(scratch, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'notes.txt'), 'The lighthouse is in the harbour.\n')
  const store = (name: string, command: readonly string[]) =>
    writeFileSync(path.join(scratch, `command-${name}.json`), JSON.stringify(command))
  const zdx = path.join(
    path.dirname(path.dirname(process.argv[1] ?? '')),
    'packages/zdx/bin/zdx.cjs',
  )
  const own = [`ZDX_HOME=${path.join(scratch, 'zdx')}`, `ANTHROPIC_BASE_URL=${model.url}`]
  const inProject = ['env', '-C', project]
  store('zdx', [
    ...[...inProject, ...own, 'ANTHROPIC_API_KEY=none'],
    ...[process.execPath, zdx, 'exec', '-p', prompt],
  ])
  for (const agent of peers) {
    const home = path.join(scratch, `home-${agent}`)
    mkdirSync(home)
    const env = prepareAgent(agent, { url: model.url, home, project })
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    store(agent, [...inProject, '-i', ...variables, agentProgram(agent), ...promptArgs[agent]])
  }
  await printRequests(['zdx', ...peers], scratch, model)
}

/** Each agent runs once before the measurement: it creates its caches, and its first request is counted. */
async function printRequests(
  names: readonly string[],
  scratch: string,
  model: AgentModel,
): Promise<void> {
  const sizes: string[] = []
  for (const name of names) {
    const before = model.turns.length
    const [program = '', ...args] = JSON.parse(
      readFileSync(path.join(scratch, `command-${name}.json`), 'utf8'),
    ) as string[]
    await new Promise<void>((resolve) => {
      execFile(program, args, { timeout: 120_000 }, () => resolve()).stdin?.end()
    })
    const first = model.turns.slice(before).find(({ tools }) => tools.length > 0)
    const bytes =
      first === undefined ? 'none' : Buffer.byteLength(first.text).toLocaleString('en-US')
    sizes.push(`${name} ${bytes}`)
  }
  console.log(`Bytes of the first request: ${sizes.join(', ')}\n`)
}
