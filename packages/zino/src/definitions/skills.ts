// Skills: two prompts that turn a request into code (interpreter, then fabricator) and the executor
// that runs it. The file name is the skill's name.
import type { Logger } from '@zee/core/log'
import type { ChatMessage } from '../fields/fields.ts'
import { chatMessages } from '../fields/fields.ts'
import { metaText, readDefinitionFiles } from './definition-files.ts'

export interface Skill {
  name: string
  executor: string | undefined
  staticAnalysis: string | undefined
  interpreter: readonly ChatMessage[]
  fabricator: readonly ChatMessage[]
}

/** Skills by name, in name order. */
export function loadSkills(folder: string, log: Logger): ReadonlyMap<string, Skill> {
  const skills = new Map<string, Skill>()
  for (const { name, data, meta } of readDefinitionFiles(folder, log)) {
    skills.set(name, {
      name,
      executor: metaText(meta, 'executor'),
      staticAnalysis: metaText(meta, 'static_analysis'),
      interpreter: chatMessages(data.interpreter),
      fabricator: chatMessages(data.fabricator),
    })
  }
  return skills
}
