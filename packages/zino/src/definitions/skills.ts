// Skills: two prompts that turn a request into code (interpreter, then fabricator) and the executor
// that runs it. The file name is the skill's name.
import { reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { Allow } from '../allow/allow.ts'
import { readAllows } from '../allow/allow.ts'
import type { ChatMessage } from '../fields/fields.ts'
import { chatMessages } from '../fields/fields.ts'
import { metaText, readDefinitionFiles } from './definition-files.ts'

export interface Skill {
  name: string
  executor: string | undefined
  staticAnalysis: string | undefined
  interpreter: readonly ChatMessage[]
  fabricator: readonly ChatMessage[]
  /** What its scripts may use. */
  allows: readonly Allow[]
}

/** Skills by name, in name order. */
export function loadSkills(folder: string, log: Logger): ReadonlyMap<string, Skill> {
  const skills = new Map<string, Skill>()
  for (const { name, data, meta } of readDefinitionFiles(folder, log)) {
    const allows = skillAllows(name, data.allow ?? meta.allow, log)
    if (allows === undefined) continue
    skills.set(name, {
      allows,
      name,
      executor: metaText(meta, 'executor'),
      staticAnalysis: metaText(meta, 'static_analysis'),
      interpreter: chatMessages(data.interpreter),
      fabricator: chatMessages(data.fabricator),
    })
  }
  return skills
}

/** Undefined when `allow` is invalid: the skill must not run without its limits. */
function skillAllows(name: string, value: unknown, log: Logger): Allow[] | undefined {
  try {
    return readAllows(value, { cwd: process.cwd() })
  } catch (error) {
    log.warn(`skipped skill ${name}: ${reasonOf(error)}`)
    return undefined
  }
}
