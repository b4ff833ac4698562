// `zcl codex-app-server`: the runner `codex_app_server`. Starts the app server of Codex, runs one turn with
// the prompt of the attempt, and records its items as evidence. Failures are typed lines on stderr.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { startProcess } from '@zee/core/process'
import type { Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, type AttemptContext } from '@zee/evidence/attempt'
import { asObject, asText } from '@zee/evidence/json'
import { artifactName } from '@zee/evidence/layout'
import { writeMessages, type AgentMessage } from '@zee/evidence/messages'
import { writeFeedback } from '@zee/evidence/outcome'
import { usageNumbers } from '@zee/evidence/runners'
import { appendTraceEvent, noOutput, prepareInput, traceEvent } from '@zee/evidence/trace'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { AppServer, type Message } from './app-server.ts'
import type { CodexRunnerSettings } from './native.ts'

/** Time for the handshake and the start of the thread. */
const startupMs = 60_000

export async function runCodexAppServer(
  settings: CodexRunnerSettings,
  host: Host,
): Promise<number> {
  const context = attemptFromEnvironment(host.env, host.cwd)
  const promptFile = host.env.ZCL_PROMPT_PATH ?? path.join(context.folder, artifactName.prompt)
  const turn = new NativeTurn(context, settings, host)
  return turn.run(readFileSync(promptFile, 'utf8'))
}

class NativeTurn {
  readonly #context: AttemptContext
  readonly #settings: CodexRunnerSettings
  readonly #host: Host
  readonly #redactor: Redactor
  readonly #messages: AgentMessage[] = []
  readonly #started = new Map<string, Date>()
  #writes: Promise<void> = Promise.resolve()
  #calls = 0
  #usage: Message = {}
  #answer = ''
  #ended: (turn: Message | undefined) => void = () => {}

  constructor(context: AttemptContext, settings: CodexRunnerSettings, host: Host) {
    this.#context = context
    this.#settings = settings
    this.#host = host
    this.#redactor = redactorFor(host)
  }

  async run(prompt: string): Promise<number> {
    const [command = 'codex', ...args] = (
      this.#host.env.ZCL_CODEX_APP_SERVER_CMD ?? 'codex app-server'
    ).split(/\s+/)
    // Hooks would record each call a second time.
    const env = { ...this.#host.env, ZCL_HOOKS: 'off' }
    const { process: server, failure } = await startProcess({ command, args, env, stdin: 'pipe' })
    if (failure !== undefined) {
      const reason = failure.error ?? 'the app server cannot be started'
      throw runtimeError('ZCL_E_RUNTIME_STARTUP', reason)
    }
    server.stderr?.resume()
    const finished = new Promise<Message | undefined>((resolve) => (this.#ended = resolve))
    void server.exited.then(() => this.#ended(undefined))
    const client = new AppServer(server, {
      notification: (method, params) => this.#notice(method, params),
      request: (method) => this.#approve(method),
    })
    try {
      const thread = await this.#start(client, prompt)
      const turn = await finished
      await this.#writes
      await this.#store(thread)
      return await this.#finish(turn)
    } finally {
      server.stdin?.end()
      await server.stop()
      server.release()
    }
  }

  /** Opens a thread and starts its turn; returns the thread. */
  async #start(client: AppServer, prompt: string): Promise<Message> {
    const { model, effort, approvalPolicy = 'never', sandbox = 'workspace-write' } = this.#settings
    const timeout = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), startupMs).unref()
    })
    const ask = async (method: string, params: object): Promise<Message> => {
      const answer = await Promise.race([client.request(method, params), timeout])
      if (answer === undefined) {
        throw runtimeError('ZCL_E_RUNTIME_STARTUP', `the app server did not answer ${method}`)
      }
      if (answer.error === undefined) return asObject(answer.result)
      const message = asText(asObject(answer.error).message)
      throw runtimeError('ZCL_E_RUNTIME_PROTOCOL', `${method}: ${message}`)
    }
    const clientInfo = { name: 'zcl', title: 'zcl', version: '1' }
    await ask('initialize', { clientInfo, capabilities: null })
    client.notify('initialized')
    const started = await ask('thread/start', {
      model,
      cwd: this.#host.cwd,
      approvalPolicy,
      sandbox,
    })
    const thread = asObject(started.thread)
    await ask('turn/start', {
      threadId: thread.id,
      input: [{ type: 'text', text: prompt, text_elements: [] }],
      effort,
    })
    this.#messages.push(this.#message('user', 'text', prompt))
    return { ...thread, model: started.model ?? model }
  }

  /** Answers requests for approval by the policy of the run. */
  #approve(method: string): object {
    const isAccepted = this.#settings.approvals === 'accept'
    if (method === 'execCommandApproval' || method === 'applyPatchApproval') {
      return { decision: isAccepted ? 'approved' : 'denied' }
    }
    return { decision: isAccepted ? 'accept' : 'decline' }
  }

  #notice(method: string, params: Message): void {
    const item = asObject(params.item)
    if (method === 'item/started') this.#started.set(asText(item.id), this.#host.clock.now())
    else if (method === 'item/completed') this.#complete(item)
    else if (method === 'thread/tokenUsage/updated') {
      this.#usage = asObject(asObject(params.tokenUsage).total)
    } else if (method === 'turn/completed') this.#ended(asObject(params.turn))
  }

  #complete(item: Message): void {
    if (item.type === 'agentMessage') {
      this.#answer = asText(item.text)
      this.#messages.push(this.#message('assistant', 'text', this.#answer))
      this.#host.stdout.write(`${this.#answer}\n`)
    } else if (item.type === 'reasoning') {
      const parts = [item.summary, item.content].flatMap((list) =>
        Array.isArray(list) ? list : [],
      )
      const text = parts.map(String).join('\n')
      this.#messages.push(this.#message('assistant', 'thinking', text))
    } else if (actions.has(asText(item.type))) this.#record(item)
  }

  #record(item: Message): void {
    this.#calls++
    const now = this.#host.clock.now()
    const startedAt = this.#started.get(asText(item.id)) ?? now
    const output = asText(item.aggregatedOutput) || textOf(item.result ?? item.error ?? '')
    const out = Buffer.from(output)
    const { exitCode } = item
    const ok = item.status === 'completed' && (exitCode === 0 || typeof exitCode !== 'number')
    const code = item.status === 'declined' ? 'DECLINED' : 'ZCL_E_TOOL_FAILED'
    const event = traceEvent(
      this.#context.identity,
      {
        tool: 'native',
        op: asText(item.type),
        startedAt,
        input: prepareInput(inputOf(item), this.#redactor),
        result: {
          ok,
          ...(ok ? {} : { code }),
          ...(typeof exitCode === 'number' ? { exitCode } : {}),
          durationMs: now.getTime() - startedAt.getTime(),
        },
        out: out.length === 0 ? noOutput : { bytes: out.length, head: out },
        err: noOutput,
        enrichment: { status: item.status, itemId: item.id },
      },
      this.#redactor,
    )
    this.#writes = this.#writes.then(() => appendTraceEvent(this.#context.folder, event))
  }

  /** Writes the messages and numbers of the turn. */
  async #store(thread: Message): Promise<void> {
    const { folder, identity } = this.#context
    const redactor = this.#redactor
    const fallbackTs = rfc3339(this.#host.clock.now())
    await writeMessages(folder, identity, this.#messages, { redactor, fallbackTs })
    const { runId, suiteId, missionId, attemptId } = identity
    const runner = 'codex'
    const numbers = usageNumbers(this.#usage, usageFields)
    const model = asText(thread.model) === '' ? {} : { model: thread.model }
    const metrics = { schemaVersion: 1, runner, ...model, ...numbers, toolCalls: this.#calls }
    await writeJsonAtomic(path.join(folder, artifactName.runnerMetrics), metrics)
    const ids = { runId, suiteId, missionId, attemptId }
    const place = typeof thread.path === 'string' ? { rolloutPath: thread.path } : {}
    const session = { threadId: asText(thread.id), transport: 'app-server' }
    const ref = { schemaVersion: 1, runner, ...ids, ...place, ...session }
    await writeJsonAtomic(path.join(folder, artifactName.runnerRef), ref)
  }

  async #finish(turn: Message | undefined): Promise<number> {
    if (turn === undefined) {
      throw runtimeError('ZCL_E_RUNTIME_CRASH', 'the app server ended during the turn')
    }
    if (turn.status !== 'completed') throw turnError(asObject(turn.error), asText(turn.status))
    if (this.#answer.trim() === '') {
      throw runtimeError('ZCL_E_RUNTIME_FINAL_ANSWER_NOT_FOUND', 'the turn has no final answer')
    }
    if (this.#settings.noFeedback === true) return 0
    const createdAt = rfc3339(this.#host.clock.now())
    const result = this.#answer.slice(0, 16_000)
    const request = { ok: true, result, isHypothesis: false, decisionTags: [], createdAt }
    await writeFeedback(this.#context, { ...request, byHarness: true }, this.#redactor)
    return 0
  }

  #message(role: AgentMessage['role'], kind: AgentMessage['kind'], text: string): AgentMessage {
    return { ts: rfc3339(this.#host.clock.now()), role, kind, text, afterCalls: this.#calls }
  }
}

/** Items that are actions of the agent. */
const actions: ReadonlySet<string> = new Set([
  ...['commandExecution', 'fileChange', 'mcpToolCall', 'dynamicToolCall', 'webSearch'],
])

const usageFields = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cachedInputTokens',
  reasoning: 'reasoningOutputTokens',
  total: 'totalTokens',
  inputHasCached: true,
}

function inputOf({ command, cwd, changes, server, tool, arguments: args, query }: Message): object {
  const fields = { command, cwd, changes, server, tool, arguments: args, query }
  return JSON.parse(JSON.stringify(fields)) as object
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The error of a failed turn, by what Codex says about it. */
function turnError(error: Message, status: string): Error {
  const message = asText(error.message) || `the turn ended as ${status}`
  const info = JSON.stringify(error.codexErrorInfo ?? '')
  if (/usageLimit|rateLimit|429/i.test(info + message)) {
    return runtimeError('ZCL_E_RUNTIME_RATE_LIMIT', message)
  }
  if (/unauthorized|401|auth/i.test(info + message))
    return runtimeError('ZCL_E_RUNTIME_AUTH', message)
  if (/stream|connection|disconnect/i.test(info + message)) {
    return runtimeError('ZCL_E_RUNTIME_STREAM_DISCONNECT', message)
  }
  return runtimeError('ZCL_E_RUNTIME_PROTOCOL', message)
}

function runtimeError(code: ErrorCode, message: string): Error {
  return zclError(code, message)
}
