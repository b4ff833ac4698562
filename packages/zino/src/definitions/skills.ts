// Skills, in two forms: two prompts that turn a request into code (interpreter, then fabricator), or a
// sub-agent with a prompt, tools and examples of its own. The file name is the skill's name.
import { reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { Allow } from '../allow/allow.ts'
import { readAllows } from '../allow/allow.ts'
import type { ChatMessage } from '../fields/fields.ts'
import { chatMessages } from '../fields/fields.ts'
import type { Message } from '../wire/wire.ts'
import type { DefinitionFile } from './definition-files.ts'
import { metaText, readDefinitionFiles } from './definition-files.ts'

export interface Skill {
  name: string
  executor: string | undefined
  staticAnalysis: string | undefined
  interpreter: readonly ChatMessage[]
  fabricator: readonly ChatMessage[]
  /** What its scripts may use. */
  allows: readonly Allow[]
  /** Present for a skill of the second form. */
  agent?: SubAgent | undefined
}

export interface SubAgent {
  /** One line; empty when the file has none. */
  description: string
  system: string
  /** Executors, functions or tools of MCP servers that it may call. */
  tools: readonly string[]
  examples: readonly ChatMessage[]
}

/** Skills by name, in name order. */
export function loadSkills(folder: string, log: Logger): ReadonlyMap<string, Skill> {
  const skills = new Map<string, Skill>()
  for (const file of readDefinitionFiles(folder, log)) {
    try {
      skills.set(file.name, readSkill(file))
    } catch (error) {
      log.warn(`skipped ${file.path}: ${reasonOf(error)}`)
      continue
    }
    if (!isUnderstood(file.data)) {
      const keys = 'interpreter and fabricator, or system, tools and examples'
      log.warn(`${file.path}: not understood, it has no ${keys}`)
    }
  }
  return skills
}

/** Throws when a field is wrong: a skill must not run without its limits. */
function readSkill({ name, data, meta }: DefinitionFile): Skill {
  return {
    allows: readAllows(data.allow ?? meta.allow, { cwd: process.cwd() }),
    name,
    executor: metaText(meta, 'executor'),
    staticAnalysis: metaText(meta, 'static_analysis'),
    interpreter: chatMessages(data.interpreter),
    fabricator: chatMessages(data.fabricator),
    agent: isSubAgent(data) ? readSubAgent(data, meta) : undefined,
  }
}

const pipelineKeys = ['interpreter', 'fabricator'] as const
const agentKeys = ['system', 'tools', 'examples'] as const

function isUnderstood(data: Message): boolean {
  return [...pipelineKeys, ...agentKeys].some((key) => data[key] !== undefined)
}

/** A file with the keys of both forms is one of the first form. */
function isSubAgent(data: Message): boolean {
  return (
    pipelineKeys.every((key) => data[key] === undefined) &&
    agentKeys.some((key) => data[key] !== undefined)
  )
}

function readSubAgent(data: Message, meta: Message): SubAgent {
  const { system = '', tools = [], examples = [] } = data
  if (typeof system !== 'string') throw new Error('system must be text')
  if (!Array.isArray(tools) || !tools.every((tool) => typeof tool === 'string')) {
    throw new Error('tools must be a list of names')
  }
  const messages = chatMessages(examples)
  if (!Array.isArray(examples) || messages.length < examples.length) {
    throw new Error('examples must be a list of {"role": text, "content": text}')
  }
  const description = metaText(meta, 'description') ?? metaText(data, 'description') ?? ''
  return { description, system, tools: tools as string[], examples: messages }
}
