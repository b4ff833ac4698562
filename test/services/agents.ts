// Real coding agents for the services tests. `node build/install-agents.mjs` installs them; a test that
// needs an agent is skipped, with the agent's name, where it is not installed.
import { existsSync } from 'node:fs'
import { agentPrograms } from '../../build/install-agents.mjs'

export type AgentName = keyof typeof agentPrograms

export const agentNames = Object.keys(agentPrograms) as AgentName[]

export function isInstalled(agent: AgentName): boolean {
  return existsSync(agentPrograms[agent])
}

/** The agent's executable. */
export function agentProgram(agent: AgentName): string {
  return agentPrograms[agent]
}
