// What people define in files for zino: tools that execute code, and skills that write it.
import type { Skill } from './skills.ts'
import type { Tool } from './tools.ts'

export type { Skill } from './skills.ts'
export { loadSkills } from './skills.ts'
export type { Tool } from './tools.ts'
export { executorForFunction, functionName, loadTools } from './tools.ts'

export interface Definitions {
  tools: ReadonlyMap<string, Tool>
  skills: ReadonlyMap<string, Skill>
}
