// The instructions of a conversation: the system prompt and what follows it, part by part.
import type { SystemPart } from '@zee/agent/prefix'

export interface InstructionTexts {
  system: string | undefined
  /** The text of AGENTS.md files. */
  guidance: string | undefined
  skills: string | undefined
  /** From session_start hooks. */
  hooks: readonly string[]
}

/** The parts that have a text; joined by a blank line they are the system prompt of a request. */
export function instructionParts(texts: InstructionTexts): SystemPart[] {
  const named: [string, string | undefined][] = [
    ['system prompt', texts.system],
    ['AGENTS.md', texts.guidance],
    ['skills', texts.skills],
    ...texts.hooks.map((text): [string, string] => ['hook context', text]),
  ]
  return named.flatMap(([name, text]) => (text ? [{ name, text }] : []))
}
