// User-defined files: tools, which execute code, and skills, which write it.
import type { Skill } from './skills.ts'
import type { Tool } from './tools.ts'

export type { Skill, SubAgent } from './skills.ts'
export { loadSkills } from './skills.ts'
export type { ServerTool } from './server-tools.ts'
export { isServerTool } from './server-tools.ts'
export type { Tool } from './tools.ts'
export { executorForFunction, executorNames, functionName, loadTools } from './tools.ts'

export interface Definitions {
  tools: ReadonlyMap<string, Tool>
  skills: ReadonlyMap<string, Skill>
  /** Names of the configured MCP servers. */
  servers: readonly string[]
  /** Maximum number of model calls of a sub-agent. */
  subAgentIterations: number
}
