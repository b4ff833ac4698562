// `zcl codex-app-server`: the runner `codex_app_server`. Starts the app server of Codex, runs one turn with
// the prompt of the attempt, and records its items as evidence. Failures are typed lines on stderr.
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { startProcess } from '@zee/core/process'
import { attemptFromEnvironment, type AttemptContext } from '@zee/evidence/attempt'
import { asObject, asText } from '@zee/evidence/json'
import { artifactName } from '@zee/evidence/layout'
import { writeFeedback } from '@zee/evidence/outcome'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { catchInterrupts, interruptExitCode, type Interrupt } from '../interrupt.ts'
import { AppServer, type Message } from './app-server.ts'
import { answerRequest } from './approvals.ts'
import type { CodexRunnerSettings } from './native.ts'
import { waitForStart } from './start-rate.ts'
import { TurnRecord } from './turn-record.ts'

/** Time for the handshake and the start of the thread. */
const startupMs = 60_000

export async function runCodexAppServer(
  settings: CodexRunnerSettings,
  host: Host,
): Promise<number> {
  const context = attemptFromEnvironment(host.env, host.cwd)
  const promptFile = host.env.ZCL_PROMPT_PATH ?? path.join(context.folder, artifactName.prompt)
  const prompt = readBoundedText(promptFile)
  // The harness ends a runner by TERM: what happened until then is evidence.
  const interrupt = catchInterrupts()
  try {
    const folder = path.dirname(host.env.ZCL_TMP_DIR ?? context.folder)
    const { clock } = host
    const { signal } = interrupt
    await waitForStart(folder, minStartInterval(settings, host), { clock, signal })
    return await new NativeTurn(context, settings, host, interrupt).run(prompt)
  } catch (error) {
    if (interrupt.signal.aborted) return interruptExitCode(interrupt)
    throw error
  } finally {
    interrupt.detach()
  }
}

function minStartInterval({ minStartIntervalMs }: CodexRunnerSettings, { env }: Host): number {
  const text = env.ZCL_NATIVE_MIN_START_INTERVAL_MS ?? ''
  if (minStartIntervalMs !== undefined || text === '') return minStartIntervalMs ?? 0
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const message = `ZCL_NATIVE_MIN_START_INTERVAL_MS must be a whole number of milliseconds (got "${text}")`
  throw zclError('ZCL_E_USAGE', message)
}

class NativeTurn {
  readonly #context: AttemptContext
  readonly #settings: CodexRunnerSettings
  readonly #host: Host
  readonly #interrupt: Interrupt
  readonly #record: TurnRecord
  #ended: (turn: Message | undefined) => void = () => {}

  constructor(
    context: AttemptContext,
    settings: CodexRunnerSettings,
    host: Host,
    interrupt: Interrupt,
  ) {
    this.#context = context
    this.#settings = settings
    this.#host = host
    this.#interrupt = interrupt
    this.#record = new TurnRecord({ context, redactor: redactorFor(host), clock: host.clock })
  }

  async run(prompt: string): Promise<number> {
    const [command = 'codex', ...args] = (
      this.#host.env.ZCL_CODEX_APP_SERVER_CMD ?? 'codex app-server'
    ).split(/\s+/)
    const env = { ...this.#host.env }
    const { process: server, failure } = await startProcess({ command, args, env, stdin: 'pipe' })
    if (failure !== undefined) {
      const reason = failure.error ?? 'the app server cannot be started'
      throw zclError('ZCL_E_RUNTIME_STARTUP', reason)
    }
    server.stderr?.resume()
    const finished = new Promise<Message | undefined>((resolve) => (this.#ended = resolve))
    void server.exited.then(() => this.#ended(undefined))
    const { signal } = this.#interrupt
    signal.addEventListener('abort', () => void server.stop(), { once: true })
    if (signal.aborted) void server.stop()
    const client = new AppServer(server, {
      notification: (method, params) => this.#notice(method, params),
      request: (method, params) => this.#answer(method, params),
    })
    try {
      const thread = await this.#start(client, prompt)
      const turn = await finished
      await this.#record.store(thread, signal.aborted ? 'ZCL_E_TIMEOUT' : 'ZCL_E_RUNTIME_CRASH')
      return signal.aborted ? interruptExitCode(this.#interrupt) : await this.#finish(turn)
    } finally {
      server.stdin?.end()
      await server.stop()
      server.release()
    }
  }

  /** Opens a thread and starts its turn; returns the thread. */
  async #start(client: AppServer, prompt: string): Promise<Message> {
    const { model, approvalPolicy = 'never', sandbox = 'workspace-write' } = this.#settings
    const timeout = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), startupMs).unref()
    })
    const ask = async (method: string, params: object): Promise<Message> => {
      const answer = await Promise.race([client.request(method, params), timeout])
      if (answer === undefined) {
        throw zclError('ZCL_E_RUNTIME_STARTUP', `the app server did not answer ${method}`)
      }
      if (answer.error === undefined) return asObject(answer.result)
      const message = asText(asObject(answer.error).message)
      throw zclError('ZCL_E_RUNTIME_PROTOCOL', `${method}: ${message}`)
    }
    const clientInfo = { name: 'zcl', title: 'zcl', version: '1' }
    await ask('initialize', { clientInfo, capabilities: null })
    client.notify('initialized')
    const started = await ask('thread/start', {
      ...(model === undefined ? {} : { model }),
      cwd: this.#host.cwd,
      approvalPolicy,
      sandbox,
    })
    const thread = asObject(started.thread)
    this.#checkModel(asText(started.model))
    this.#record.asked(prompt)
    const input = [{ type: 'text', text: prompt, text_elements: [] }]
    await this.#startTurn(ask, { threadId: thread.id, input })
    return { ...thread, model: started.model ?? model }
  }

  #checkModel(started: string): void {
    const { model = started, effortPolicy } = this.#settings
    if (effortPolicy !== 'required' || started === '' || started === model) return
    throw zclError('ZCL_E_RUNTIME_PROTOCOL', `the thread runs ${started} instead of ${model}`)
  }

  /** An effort that the model does not take is left out, unless it is required. */
  async #startTurn(
    ask: (method: string, params: object) => Promise<Message>,
    turn: object,
  ): Promise<void> {
    const { effort, effortPolicy } = this.#settings
    try {
      await ask('turn/start', { ...turn, effort })
    } catch (error) {
      const isAboutEffort = effort !== undefined && /effort|reasoning|variant/i.test(String(error))
      if (effortPolicy === 'required' || !isAboutEffort) throw error
      await ask('turn/start', turn)
    }
  }

  /** Answers requests by the policy of the run. */
  #answer(method: string, params: Message): object | undefined {
    const isAccepted = this.#settings.approvals === 'accept'
    const answer = answerRequest(method, params, isAccepted)
    const itemId = asText(params.itemId) || asText(params.callId)
    if (answer !== undefined) this.#record.approved(itemId, isAccepted ? 'accept' : 'decline')
    return answer
  }

  #notice(method: string, params: Message): void {
    const item = asObject(params.item)
    if (method === 'item/started') this.#record.started(item)
    else if (method === 'item/completed') {
      this.#record.completed(item)
      if (item.type === 'agentMessage') this.#host.stdout.write(`${this.#record.answer}\n`)
    } else if (method === 'thread/tokenUsage/updated') {
      this.#record.used(asObject(asObject(params.tokenUsage).total))
    } else if (method === 'turn/completed') this.#ended(asObject(params.turn))
  }

  async #finish(turn: Message | undefined): Promise<number> {
    if (turn === undefined) {
      throw zclError('ZCL_E_RUNTIME_CRASH', 'the app server ended during the turn')
    }
    if (turn.status !== 'completed') throw turnError(asObject(turn.error), asText(turn.status))
    const { answer } = this.#record
    if (answer.trim() === '') {
      throw zclError('ZCL_E_RUNTIME_FINAL_ANSWER_NOT_FOUND', 'the turn has no final answer')
    }
    if (this.#settings.noFeedback === true) return 0
    const createdAt = rfc3339(this.#host.clock.now())
    const result = answer.slice(0, 16_000)
    const request = { ok: true, result, isHypothesis: false, decisionTags: [], createdAt }
    await writeFeedback(this.#context, { ...request, byHarness: true }, redactorFor(this.#host))
    return 0
  }
}

/** What Codex says about a failed turn, and the code of zcl for it; the first match counts. */
const turnFailures: readonly [RegExp, ErrorCode][] = [
  [/usageLimit|rateLimit|429/i, 'ZCL_E_RUNTIME_RATE_LIMIT'],
  [/unauthorized|401|auth/i, 'ZCL_E_RUNTIME_AUTH'],
  [/stream|connection|disconnect/i, 'ZCL_E_RUNTIME_STREAM_DISCONNECT'],
]

function turnError(error: Message, status: string): Error {
  const message = asText(error.message) || `the turn ended as ${status}`
  const said = JSON.stringify(error.codexErrorInfo ?? '') + message
  const code = turnFailures.find(([pattern]) => pattern.test(said))?.[1]
  return zclError(code ?? 'ZCL_E_RUNTIME_PROTOCOL', message)
}
