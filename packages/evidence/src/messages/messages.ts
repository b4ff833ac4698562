// What an agent and its user said, from the log of the agent: messages.jsonl beside the trace. Redacted and
// bounded; no score depends on it.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { readJournalSync } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import { refuseLink } from '../artifact/artifact.ts'
import type { AttemptIdentity } from '../attempt/attempt.ts'
import { artifactName } from '../layout/layout.ts'
import { limits, maxLineBytes } from '../schema/limits.ts'
import { redactionNames, requireRegularStream } from '../trace/trace.ts'

export interface AgentMessage {
  /** RFC 3339; empty if the log has no time. */
  ts: string
  role: 'system' | 'user' | 'assistant'
  kind: 'text' | 'thinking'
  text: string
  /** Number of calls of the trace before it; undefined if the log does not tell. */
  afterCalls?: number | undefined
}

/** More messages are left out. */
const maxMessages = 10_000

/** Replaces the messages of an attempt; returns how many were stored. */
export async function writeMessages(
  folder: string,
  identity: AttemptIdentity,
  messages: readonly AgentMessage[],
  { redactor, fallbackTs }: { redactor: Redactor; fallbackTs: string },
): Promise<number> {
  const kept = messages.filter(({ text }) => text.trim() !== '').slice(0, maxMessages)
  const { runId, suiteId, missionId, attemptId, agentId } = identity
  const lines = kept.map(({ ts, role, kind, text, afterCalls }) => {
    const cut = redactor.cut(text, limits.noteMessageBytes)
    return `${JSON.stringify({
      v: 1,
      ts: timeOf(ts) ?? fallbackTs,
      runId,
      suiteId,
      missionId,
      attemptId,
      agentId,
      role,
      kind,
      text: cut.text,
      truncated: cut.truncated ? true : undefined,
      afterCalls,
      redactionsApplied: redactionNames(cut.applied),
    })}\n`
  })
  refuseLink(folder, artifactName.messages)
  if (lines.length > 0) {
    await writeFileAtomic(path.join(folder, artifactName.messages), lines.join(''))
  }
  return kept.length
}

/** The messages of an attempt in order; none if there is no such file. */
export function readMessages(folder: string): AgentMessage[] {
  const messages: AgentMessage[] = []
  try {
    requireRegularStream(folder, artifactName.messages)
    const file = path.join(folder, artifactName.messages)
    const take = ({ record }: { record: Record<string, unknown> }): boolean => {
      const { ts, role, kind, text, afterCalls } = record
      const isKnown = role === 'system' || role === 'user' || role === 'assistant'
      if (isKnown && typeof text === 'string') {
        messages.push({
          ts: typeof ts === 'string' ? ts : '',
          role,
          kind: kind === 'thinking' ? 'thinking' : 'text',
          text,
          ...(typeof afterCalls === 'number' ? { afterCalls } : {}),
        })
      }
      return messages.length < maxMessages
    }
    readJournalSync(file, take, { maxLineBytes })
  } catch (error) {
    if ((error as { code?: string }).code !== 'enoent') throw error
  }
  return messages
}

/** The years 0000 to 9999. */
const [firstMs, lastMs] = [-62_167_219_200_000, 253_402_300_799_999]

/** The time in the form of artifacts; undefined if it is none. */
export function timeOf(text: string | undefined): string | undefined {
  const exact = parseRfc3339(text ?? '')
  const ms = exact?.getTime() ?? Date.parse(text ?? '')
  return ms >= firstMs && ms <= lastMs ? rfc3339(new Date(ms)) : undefined
}
