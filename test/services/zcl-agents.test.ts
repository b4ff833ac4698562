// The same scripted job with real agents, measured at four boundaries: shims, the MCP proxy, the HTTP proxy
// and the agent's own log. All of them count the same calls, failures, retries and tokens. Skipped where an
// agent is not installed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled } from './agents.ts'
import { answerTotal } from './scripted-model.ts'
import { agentProfiles, type AgentProfile } from './zcl-agents.ts'
import { Job, type Counted } from './zcl-job.ts'

/** Four calls, the last two fail and are the same. Five answers of the model. */
const expected: Counted = { calls: 4, failures: 2, retries: 1, tokens: 5 * answerTotal }

let job: Job
beforeAll(async () => {
  job = await Job.open()
})
afterAll(() => job.close())

describe.each(agentProfiles)('$name', (agent) => {
  const { name, without } = agent
  const title = without === undefined ? '' : ` (${without})`

  it.skipIf(!isInstalled(name))(
    `counts the same at all boundaries${title}`,
    async () => {
      const measured = await measure(agent)
      const all = { shim: expected, http: expected, log: expected }
      const overMcp = { mcp: expected, 'log of the MCP calls': expected }
      expect(measured.boundaries, measured.output).toEqual(
        agent.mcp === undefined ? all : { ...all, ...overMcp },
      )
      const numbers = { turnCount: 1, modelCalls: 5, toolCalls: 4, totalTokens: expected.tokens }
      for (const each of measured.numbers) expect(each).toMatchObject(numbers)
    },
    240_000,
  )
})

interface Measured {
  boundaries: Record<string, Counted>
  /** What `zcl enrich` and `zcl import` read from the logs. */
  numbers: unknown[]
  output: string
}

async function measure(agent: AgentProfile): Promise<Measured> {
  const boundaries: Record<string, Counted> = {}
  const numbers: unknown[] = []
  const folder = job.folder(agent.name)
  const service = await job.serviceProxy(agent.name)
  job.writeTally(folder, service.url)
  const missions = agent.mcp === undefined ? (['shell'] as const) : (['shell', 'mcp'] as const)
  const outputs = await Promise.all(
    missions.map(async (mission) => {
      const model = await job.modelProxy(agent.name, mission)
      const ran = await job.run(agent, mission, { folder, modelUrl: model.url })
      numbers.push(await job.enrich(agent, ran))
      const { tokens } = await job.counts(model.attempt)
      const log = await job.importLog(agent, ran)
      const isShell = mission === 'shell'
      boundaries[isShell ? 'shim' : 'mcp'] = counted(await job.counts(ran.attempt))
      boundaries[isShell ? 'log' : 'log of the MCP calls'] = counted(await job.counts(log))
      // The HTTP proxy in front of the model sees the tokens, the one in front of the service the calls.
      if (isShell) boundaries.http = { ...counted(await job.counts(service.attempt)), tokens }
      else expect(tokens).toBe(expected.tokens)
      return ran.output
    }),
  )
  return { boundaries, numbers, output: outputs.join('\n') }
}

function counted({ calls, failures, retries, tokens }: Counted): Counted {
  return { calls, failures, retries, tokens }
}
