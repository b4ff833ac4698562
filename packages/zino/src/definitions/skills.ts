// Skills: two prompts that turn a request into code (interpreter, then fabricator) and the executor
// that runs it. A skill is known by its file's name.
import type { Logger } from '@zee/core/log'
import type { ChatMessage } from '../service/fields.ts'
import { isMessage } from '../wire/frame.ts'
import { metaText, readFolder } from './read-folder.ts'

export interface Skill {
  name: string
  executor: string | undefined
  staticAnalysis: string | undefined
  interpreter: readonly ChatMessage[]
  fabricator: readonly ChatMessage[]
}

/** By name, in the order of the names. */
export function loadSkills(folder: string, log: Logger): ReadonlyMap<string, Skill> {
  const skills = new Map<string, Skill>()
  for (const { name, data, meta } of readFolder(folder, log)) {
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

/** The items of a list that are messages with text; everything else is left out. */
export function chatMessages(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (!isMessage(item)) return []
    const { role, content } = item
    return typeof role === 'string' && typeof content === 'string' ? [{ role, content }] : []
  })
}
