// What a turn of Codex leaves as evidence: one event per action, messages, tokens, and the place of Codex's
// own log.
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { rfc3339, type Clock } from '@zee/core/clock'
import type { Redactor } from '@zee/core/redact'
import type { AttemptContext } from '@zee/evidence/attempt'
import { asObject, asText } from '@zee/evidence/json'
import { artifactName } from '@zee/evidence/layout'
import { writeMessages, type AgentMessage } from '@zee/evidence/messages'
import { usageNumbers } from '@zee/evidence/runners'
import { appendTraceEvent, noOutput, prepareInput, traceEvent } from '@zee/evidence/trace'
import type { ErrorCode } from '../../codes/codes.ts'
import type { Message } from './app-server.ts'

/** Items that are actions of the agent. */
const actions: ReadonlySet<string> = new Set([
  ...['commandExecution', 'fileChange', 'mcpToolCall', 'dynamicToolCall', 'webSearch'],
])

const usageFields = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cachedInputTokens',
  written: 'cacheWriteInputTokens',
  reasoning: 'reasoningOutputTokens',
  total: 'totalTokens',
  inputHasCached: true,
}

interface OpenItem {
  item: Message
  startedAt: Date
}

export interface RecordPlace {
  context: AttemptContext
  redactor: Redactor
  clock: Clock
}

export class TurnRecord {
  readonly #place: RecordPlace
  readonly #messages: AgentMessage[] = []
  /** Actions that have started and not ended. */
  readonly #open = new Map<string, OpenItem>()
  /** The answers to requests for approval, by item. */
  readonly #approvals = new Map<string, string>()
  #writes: Promise<void> = Promise.resolve()
  #calls = 0
  #usage: Message = {}
  /** The distinct cumulative totals: one per answer of the model. */
  readonly #totals = new Set<string>()
  /** The latest message of the agent. */
  answer = ''

  constructor(place: RecordPlace) {
    this.#place = place
  }

  asked(prompt: string): void {
    this.#say('user', 'text', prompt)
  }

  started(item: Message): void {
    const startedAt = this.#place.clock.now()
    if (actions.has(asText(item.type))) this.#open.set(asText(item.id), { item, startedAt })
  }

  approved(itemId: string, decision: string): void {
    this.#approvals.set(itemId, decision)
  }

  completed(item: Message): void {
    if (item.type === 'agentMessage') {
      this.answer = asText(item.text)
      this.#say('assistant', 'text', this.answer)
    } else if (item.type === 'reasoning') {
      const parts = [item.summary, item.content].flatMap((list) =>
        Array.isArray(list) ? list : [],
      )
      this.#say('assistant', 'thinking', parts.map(String).join('\n'))
    } else if (actions.has(asText(item.type))) this.#addCall(item)
  }

  used(usage: Message): void {
    this.#usage = usage
    if (Object.keys(usage).length > 0) this.#totals.add(JSON.stringify(usage))
  }

  /** Records the actions that will never end, and writes messages and numbers. */
  async store(thread: Message, openCode: ErrorCode): Promise<void> {
    for (const { item } of this.#open.values()) this.#addCall(item, openCode)
    await this.#writes
    const { context, redactor, clock } = this.#place
    const { folder, identity } = context
    const fallbackTs = rfc3339(clock.now())
    await writeMessages(folder, identity, this.#messages, { redactor, fallbackTs })
    const runner = 'codex'
    const { runId, suiteId, missionId, attemptId } = identity
    await writeJsonAtomic(path.join(folder, artifactName.runnerMetrics), {
      schemaVersion: 1,
      runner,
      ...(asText(thread.model) === '' ? {} : { model: thread.model }),
      ...(asText(thread.modelProvider) === '' ? {} : { modelProvider: thread.modelProvider }),
      turnCount: 1,
      ...usageNumbers(this.#usage, usageFields),
      modelCalls: this.#totals.size,
      toolCalls: this.#calls,
    })
    await writeJsonAtomic(path.join(folder, artifactName.runnerRef), {
      ...{ schemaVersion: 1, runner, runId, suiteId, missionId, attemptId },
      ...(typeof thread.path === 'string' ? { rolloutPath: thread.path } : {}),
      ...{ threadId: asText(thread.id), transport: 'app-server' },
    })
  }

  /** `openCode` is the code of an action that did not end. */
  #addCall(item: Message, openCode?: ErrorCode): void {
    const id = asText(item.id)
    const { context, redactor, clock } = this.#place
    const now = clock.now()
    const startedAt = this.#open.get(id)?.startedAt ?? now
    this.#open.delete(id)
    this.#calls++
    const output = asText(item.aggregatedOutput) || textOf(item.result ?? item.error ?? '')
    const out = Buffer.from(output)
    const { exitCode, status } = item
    const approval = this.#approvals.get(id)
    const event = traceEvent(
      context.identity,
      {
        tool: 'native',
        op: asText(item.type),
        startedAt,
        input: prepareInput(inputOf(item), redactor),
        result: {
          ...resultOf(item, openCode),
          ...(typeof exitCode === 'number' ? { exitCode } : {}),
          durationMs: now.getTime() - startedAt.getTime(),
        },
        out: out.length === 0 ? noOutput : { bytes: out.length, head: out },
        err: noOutput,
        enrichment: { status, itemId: id, ...(approval === undefined ? {} : { approval }) },
      },
      redactor,
    )
    this.#writes = this.#writes.then(() => appendTraceEvent(context.folder, event))
  }

  #say(role: AgentMessage['role'], kind: AgentMessage['kind'], text: string): void {
    const ts = rfc3339(this.#place.clock.now())
    this.#messages.push({ ts, role, kind, text, afterCalls: this.#calls })
  }
}

function resultOf(
  { status, exitCode }: Message,
  openCode: ErrorCode | undefined,
): { ok: boolean; code?: string } {
  if (openCode !== undefined) return { ok: false, code: openCode }
  if (status === 'declined') return { ok: false, code: 'DECLINED' }
  const ok = status === 'completed' && (exitCode === 0 || typeof exitCode !== 'number')
  return ok ? { ok } : { ok, code: 'ZCL_E_TOOL_FAILED' }
}

function inputOf(item: Message): object {
  const { command, cwd, changes, server, tool, arguments: args, query } = item
  const fields = { command, cwd, changes, server, tool, arguments: args, query }
  return asObject(JSON.parse(JSON.stringify(fields)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
