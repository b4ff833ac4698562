// Replays the permitted steps and compares each result with the recorded one.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { runProcess, shellExitCode, type ProcessEnd } from '@zee/core/process'
import type { Redactor } from '@zee/core/redact'
import { previewCaptureBytes, previewOf } from '@zee/evidence/trace'
import { callName, type StoredEvent } from '@zee/evidence/events'
import { McpSession, openMcpSession } from '../mcp/mcp.ts'
import type { PlannedStep } from './plan.ts'

export interface ReplayStep {
  index: number
  tool: string
  op: string
  /** The tool of an MCP `tools/call`. */
  name?: string
  replayable: boolean
  argv?: readonly string[]
  method?: string
  input?: unknown
  ok?: boolean
  exitCode?: number
  error?: string
  /** Executed steps only: same exit code, or same verdict of the server, as recorded. */
  matches?: boolean
  /** Executed steps only: the output equals the recorded one, as far as it was stored. */
  outputMatches?: boolean
}

export interface ReplayPermission {
  all: boolean
  names: ReadonlySet<string>
}

const maxErrorBytes = 1024
/** Timeout of one command, 10 minutes. */
const commandTimeoutMs = 600_000

export class Replayer {
  readonly #permission: ReplayPermission
  readonly #host: Host
  readonly #redactor: Redactor
  readonly #usesStdin: boolean
  readonly #env: Record<string, string | undefined>
  #session: McpSession | undefined

  constructor(permission: ReplayPermission, host: Host, redactor: Redactor, usesStdin: boolean) {
    this.#permission = permission
    this.#host = host
    this.#redactor = redactor
    this.#usesStdin = usesStdin
    // Without ZCL_* variables, replayed commands cannot record into an attempt.
    this.#env = Object.fromEntries(
      Object.entries(host.env).filter(([name]) => !name.startsWith('ZCL_')),
    )
  }

  async run(step: PlannedStep): Promise<ReplayStep> {
    const shown = describeStep(step)
    switch (step.kind) {
      case 'none':
        return shown
      case 'cli':
        return this.#refusal(step.argv, shown) ?? this.#command(step.argv, step.event, shown)
      case 'mcp-spawn':
        await this.close()
        return this.#refusal(step.argv, shown) ?? this.#spawn(step.argv, step.event, shown)
      case 'mcp-request':
        return this.#request(step.event, shown)
    }
  }

  async close(): Promise<void> {
    await this.#session?.close()
    this.#session = undefined
  }

  #refusal(argv: readonly string[], shown: ReplayStep): ReplayStep | undefined {
    const name = path.basename(argv[0] ?? '')
    if (this.#permission.all || this.#permission.names.has(name)) return undefined
    const error = `not allowed: --allow ${name}, or --allow-all, would let it run`
    return { ...shown, ok: false, error }
  }

  async #command(
    [command = '', ...args]: readonly string[],
    event: StoredEvent,
    shown: ReplayStep,
  ): Promise<ReplayStep> {
    const result = await runProcess({
      command,
      args,
      env: this.#env,
      cwd: this.#host.cwd,
      stdin: this.#usesStdin ? 'inherit' : 'null',
      captureBytes: previewCaptureBytes,
      deadlineMs: commandTimeoutMs,
    })
    if (result.error !== undefined) return notStarted(result, event, shown)
    const exitCode = shellExitCode(result)
    const preview = (stream: { bytes: number; capture: Buffer }) =>
      previewOf({ bytes: stream.bytes, head: stream.capture }, this.#redactor).text
    return {
      ...shown,
      ok: exitCode === 0,
      exitCode,
      matches: exitCode === event.exitCode,
      outputMatches:
        result.stdout.bytes === event.outBytes &&
        result.stderr.bytes === event.errBytes &&
        preview(result.stdout) === event.outPreview &&
        preview(result.stderr) === event.errPreview,
    }
  }

  /** The error message of a server as one redacted, bounded line. */
  #errorText(message: unknown): string {
    const text = typeof message === 'string' ? message : 'the server answered with an error'
    return this.#redactor.cut(oneLine(text), maxErrorBytes).text
  }

  async #spawn(
    argv: readonly string[],
    event: StoredEvent,
    shown: ReplayStep,
  ): Promise<ReplayStep> {
    const session = await openMcpSession(argv, this.#env)
    if (!(session instanceof McpSession)) return notStarted(session, event, shown)
    this.#session = session
    return { ...shown, ok: true, matches: event.ok }
  }

  async #request(event: StoredEvent, shown: ReplayStep): Promise<ReplayStep> {
    if (this.#session === undefined) {
      return { ...shown, ok: false, error: 'its server was not started' }
    }
    const { id = 0, method, params } = event.input
    const answer = await this.#session.request(id, String(method), params)
    if (answer === undefined) {
      const matches = event.code === 'MCP_NO_RESPONSE'
      return { ...shown, ok: false, error: 'the server did not answer', matches }
    }
    const { error, isToolError } = answer.response
    const ok = error === undefined && !isToolError
    return {
      ...shown,
      ok,
      ...(error === undefined ? {} : { error: this.#errorText(error.message) }),
      matches: ok === event.ok,
      outputMatches: answer.bytes === event.outBytes,
    }
  }
}

/** The step as recorded, before it is replayed. */
export function describeStep(step: PlannedStep): ReplayStep {
  const { event } = step
  const argv = 'argv' in step ? step.argv : undefined
  const method = 'method' in step ? step.method : undefined
  return {
    index: event.index,
    tool: event.tool,
    op: event.op,
    ...(callName(event) === event.op ? {} : { name: callName(event) }),
    replayable: step.kind !== 'none',
    argv,
    ...(method === undefined ? {} : { method, input: event.input }),
    ...(step.kind === 'none' ? { error: step.why } : {}),
  }
}

function notStarted(end: ProcessEnd, event: StoredEvent, shown: ReplayStep): ReplayStep {
  const error = end.error ?? 'it could not be started'
  return { ...shown, ok: false, error, matches: event.code === 'ZCL_E_SPAWN' }
}
