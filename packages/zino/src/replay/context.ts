// Compares the recorded prompt of a turn with what zino would send now. A recording holds only hashes, so
// each message is looked up: the system prompt among those of the present files and of a running sys, the
// rest among the skill examples and the stored messages. A running zino is asked for nothing else.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { askService } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import type { ChatMessage } from '../fields/fields.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { textFacts } from '../receipts/receipts.ts'
import { loadContextSources } from '../services/services.ts'
import type { RecordedPrompt } from '../turns/turns.ts'

export interface ContextNow {
  /** Hashes of system prompts; undefined if they cannot be known without a running sys. */
  systems: ReadonlySet<string> | undefined
  /** Hashes of the texts that a prompt may contain. */
  texts: ReadonlySet<string>
}

const sysDeadlineMs = 2000

export async function contextNow(config: ZinoConfig, log: Logger): Promise<ContextNow> {
  const { promptFromFiles, skillExamples, acceptedByModels, storedTexts } =
    await loadContextSources()
  const folder = path.resolve(config.mem.data_dir)
  const live = await liveSystemPrompt(config)
  const hasServers = Object.keys(config.mcp ?? {}).length > 0
  const systems = [
    ...(live === undefined ? [] : [live]),
    // Tools of MCP servers are known to a running sys only.
    ...(hasServers ? [] : [promptFromFiles({ config, log }, softMemory(folder))]),
  ]
  const hashOf = (message: ChatMessage) => textFacts(acceptedByModels(message).content).sha256
  const texts = new Set(skillExamples({ config, log }).map(hashOf))
  const { messages, forgotten } = storedTexts(folder)
  for (const message of messages) texts.add(hashOf(message))
  for (const hash of forgotten) texts.add(hash)
  const hashes = systems.map((text) => textFacts(text).sha256)
  return { systems: hashes.length === 0 ? undefined : new Set(hashes), texts }
}

/** What differs, in words. */
export function contextDifferences(
  prompt: RecordedPrompt,
  receipt: Receipt | undefined,
  { systems, texts }: ContextNow,
): string[] {
  const differences: string[] = []
  const [first] = prompt
  const last = prompt.at(-1)
  const isSystem = first?.role === 'system'
  if (isSystem && systems !== undefined && !systems.has(first.sha256)) {
    differences.push('the system prompt would differ')
  }
  if (receipt === undefined) return differences
  if (last?.sha256 !== receipt.request.sha256) {
    differences.push("the user's message differs from that of the receipt")
  }
  const fromClient = receipt.context?.from_client ?? 0
  const stored = prompt.slice(isSystem ? 1 : 0, prompt.length - 1 - fromClient)
  const missing = stored.filter(({ sha256 }) => !texts.has(sha256)).length
  if (missing > 0) {
    const what = missing === 1 ? 'a message' : `${missing} messages`
    differences.push(`${what} of the context changed or disappeared since then`)
  }
  return differences
}

/** Undefined when sys does not run. */
async function liveSystemPrompt({ sys }: ZinoConfig): Promise<string | undefined> {
  try {
    const request = { type: 'get' }
    const { content } = await askService(sys.socket, request, { deadlineMs: sysDeadlineMs })
    return typeof content === 'string' ? content : undefined
  } catch {
    return undefined
  }
}

function softMemory(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'soft_memory.txt'), 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ''
    throw error
  }
}
