// The own logs of agents: Codex, Claude Code, OpenCode, Gemini CLI and pi. A session is an attempt.
import { evidenceError } from '../errors/errors.ts'
import { readLogs, type ImportProgram } from '../transcripts/transcripts.ts'
import type { LogCall, LogReceipt, LogResult } from '../transcripts/transcripts.ts'
import type { TranscriptBuilder } from '../transcripts/transcripts.ts'
import { countUnmapped, newAttempt, say } from './imported.ts'
import type { ImportedAttempt, ImportedCall, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'
import { zstdDecoder } from '../zstd/zstd.ts'

export async function readAgentLog(
  program: ImportProgram,
  source: ImportSource,
): Promise<ImportedRun> {
  const run: ImportedRun = { suite: program, attempts: [], unmapped: {} }
  const place = { program, named: source.path, env: source.env, unzstd: await zstdDecoder() }
  for (const { session, builder, failure } of readLogs(place, () => new AttemptBuilder(program))) {
    if (session === undefined) {
      const key = `log: ${failure}`
      run.unmapped[key] = (run.unmapped[key] ?? 0) + 1
      continue
    }
    const attempt = builder.attempt(session.id)
    if (session.unread > 0) attempt.unmapped['unread record'] = session.unread
    if (attempt.messages.length > 0 || attempt.calls.length > 0) run.attempts.push(attempt)
    else countUnmapped(run, emptyLog)
  }
  if (run.attempts.length === 0) {
    const why = Object.keys(run.unmapped).find((kind) => kind !== emptyLog) ?? ''
    const message = `${source.path} holds no session of ${program}`
    throw evidenceError('ZCL_E_USAGE', why === '' ? message : `${message} (${why})`)
  }
  run.createdAt = run.attempts[0]?.startedAt
  return run
}

const emptyLog = 'log without messages'

class AttemptBuilder implements TranscriptBuilder {
  readonly #program: ImportProgram
  readonly #attempt: ImportedAttempt
  readonly #calls = new Map<string, ImportedCall>()
  readonly #receipts = new Map<string, LogReceipt>()
  #first = ''
  #last = ''
  #turns = 0

  constructor(program: ImportProgram) {
    this.#program = program
    this.#attempt = newAttempt(program)
  }

  user(text: string, ts: string): void {
    this.#see(ts)
    this.#turns++
    this.#attempt.prompt ??= text
    say(this.#attempt, 'user', text, { ts })
  }

  text(_key: string, text: string, ts: string): void {
    this.#see(ts)
    say(this.#attempt, 'assistant', text, { ts })
  }

  thinking(_key: string, text: string, ts: string): void {
    this.#see(ts)
    say(this.#attempt, 'assistant', text, { ts, kind: 'thinking' })
  }

  call(_key: string, { id, name, input }: LogCall, ts: string): void {
    if (this.#calls.has(id)) return
    this.#see(ts)
    const call = { ts, tool: this.#program, op: name, input, output: '', isError: false }
    this.#calls.set(id, call)
    this.#attempt.calls.push(call)
  }

  result({ callId, text, isError, exitCode, stderr = '' }: LogResult, ts: string): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return this.unmapped('result without a call')
    this.#see(ts)
    call.output = text + stderr
    call.isError = isError || (exitCode !== undefined && exitCode !== 0)
    call.exitCode = exitCode
    const ms = Date.parse(ts) - Date.parse(call.ts)
    if (ms >= 0) call.durationMs = ms
  }

  interrupted(ts: string): void {
    this.#see(ts)
    this.unmapped('interruption')
  }

  receipt(key: string, receipt: LogReceipt, ts: string): void {
    this.#see(ts)
    this.#receipts.set(key, receipt)
  }

  unmapped(kind: string): void {
    countUnmapped(this.#attempt, kind)
  }

  attempt(sessionId: string): ImportedAttempt {
    const attempt = this.#attempt
    attempt.mission = sessionId
    attempt.sourceId = sessionId
    attempt.agent = this.#program
    attempt.startedAt = this.#first || undefined
    attempt.endedAt = this.#last || undefined
    attempt.numbers = this.#numbers()
    return attempt
  }

  #see(ts: string): void {
    if (ts === '') return
    if (this.#first === '' || ts < this.#first) this.#first = ts
    if (ts > this.#last) this.#last = ts
  }

  #numbers(): ImportedAttempt['numbers'] {
    const receipts = [...this.#receipts.values()]
    const last = receipts.at(-1)
    const sum = (of: (receipt: LogReceipt) => number | undefined) =>
      receipts.reduce((total, receipt) => total + (of(receipt) ?? 0), 0)
    const [cached, written] = [
      sum(({ usage }) => usage.cachedInputTokens),
      sum(({ usage }) => usage.cacheWriteTokens),
    ]
    const input = sum(({ usage }) => usage.inputTokens)
    const output = sum(({ usage }) => usage.outputTokens)
    const thinking = sum(({ usage }) => usage.thinkingTokens)
    if (last === undefined) return { turnCount: this.#turns, toolCalls: this.#calls.size }
    return {
      model: last.model,
      modelProvider: last.provider,
      turnCount: this.#turns,
      totalTokens: input + output,
      inputTokens: Math.max(0, input - cached - written),
      outputTokens: output,
      cachedInputTokens: cached,
      cacheWriteTokens: written,
      reasoningOutputTokens: thinking,
      modelCalls: receipts.length,
      toolCalls: this.#calls.size,
    }
  }
}
