// Renders the system prompt template. All placeholders are replaced in one pass and literally, so a
// value may contain `$&` or a placeholder.
import { oneLine } from '@zee/core/errors'
import type { ServerTool, Skill, Tool } from '../../definitions/definitions.ts'
import { functionName } from '../../definitions/definitions.ts'

export interface PromptParts {
  personality: string
  tools: ReadonlyMap<string, Tool>
  /** Tools of MCP servers. */
  serverTools: readonly ServerTool[]
  skills: ReadonlyMap<string, Skill>
  maxIterations: number
  softMemory: string
}

const placeholder = /%%(PERSONALITY|TOOL_LIST|SKILL_LINES|MAX_ITERATIONS|SOFT_MEMORIES)%%/g
const noneLoaded = '  (none loaded)'

export function renderPrompt(template: string, parts: PromptParts): string {
  const values = new Map([
    ['PERSONALITY', parts.personality],
    ['TOOL_LIST', toolList(parts)],
    ['SKILL_LINES', skillLines(parts.skills)],
    ['MAX_ITERATIONS', String(parts.maxIterations)],
    ['SOFT_MEMORIES', parts.softMemory],
  ])
  return template.replace(placeholder, (_, name: string) => values.get(name) ?? '')
}

function toolList({ tools, serverTools }: PromptParts): string {
  const lines = [
    ...[...tools.keys()].map((executor) => `  - "${functionName(executor)}": ${executor} executor`),
    ...serverTools.map(
      ({ name, description, arguments: args }) =>
        `  - "${name}": ${description} Arguments: ${args}`,
    ),
  ]
  return lines.join('\n') || noneLoaded
}

function skillLines(skills: ReadonlyMap<string, Skill>): string {
  const lines = [...skills.values()].map((skill) => `  - "${skill.name}": ${describeSkill(skill)}`)
  return lines.join('\n') || noneLoaded
}

function describeSkill({ executor, staticAnalysis, agent }: Skill): string {
  if (agent === undefined) {
    return `${executor ?? 'unknown'} executor, static analysis: ${staticAnalysis ?? 'none'}`
  }
  const tools = `sub-agent, tools: ${agent.tools.join(', ') || 'none'}`
  return agent.description === '' ? tools : `${oneLine(agent.description)} (${tools})`
}
