// Shows the events of a turn: the answer on stdout exactly as it arrives, everything else on stderr.
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { lossless } from './lossless.ts'

/** How the turn went, for the exit code and the next prompt. */
export interface TurnOutcome {
  error?: { message: string }
  interrupted: boolean
  /** Nobody reads the answer any more. */
  readerGone: boolean
}

export interface RenderOptions {
  host: Host
  /** Stops the turn when the reader of stdout has left. */
  abort: () => void
}

interface RunningTool {
  name: string
  startedMs: number
}

export async function renderTurn(
  events: AsyncIterable<AgentEvent>,
  { host, abort }: RenderOptions,
): Promise<TurnOutcome> {
  const outcome: TurnOutcome = { interrupted: false, readerGone: false }
  const writeOut = lossless(host.stdout)
  const writeErr = lossless(host.stderr)
  const tools = new Map<string, RunningTool>()
  let atLineStart = true
  const onClosed = () => {
    outcome.readerGone = true
    abort()
  }
  host.stdout.on('error', onClosed)
  try {
    for await (const event of events) {
      if (event.type === 'assistant_delta') {
        await writeOut(event.text)
        atLineStart = event.text.endsWith('\n')
        continue
      }
      if (event.type === 'tool_requested' && !atLineStart) {
        await writeOut('\n')
        atLineStart = true
      }
      if (event.type === 'error') outcome.error = { message: event.message }
      if (event.type === 'interrupted') outcome.interrupted = true
      const line = statusOf(event, tools, host)
      if (line !== undefined) await writeErr(line)
    }
    if (!atLineStart) await writeOut('\n')
  } finally {
    host.stdout.removeListener('error', onClosed)
  }
  return outcome
}

/** What stderr says about an event, if anything. */
function statusOf(
  event: AgentEvent,
  tools: Map<string, RunningTool>,
  host: Host,
): string | undefined {
  switch (event.type) {
    case 'tool_requested':
      return requested(event)
    case 'tool_started':
      tools.set(event.id, { name: event.name, startedMs: host.clock.monotonicMs() })
      return `⚙ Running ${event.name}...`
    case 'tool_finished':
      return finished(event, tools, host)
    case 'notice':
      return `Warning: ${event.text}\n`
    case 'error':
      return `Error [${event.kind}]: ${withHint(event.message)}\n${details(event.details)}`
    case 'interrupted':
      return '\n^C Interrupted.\n'
    default:
      return undefined
  }
}

function requested(event: Extract<AgentEvent, { type: 'tool_requested' }>): string | undefined {
  const { command } = event.input
  if (event.name !== 'bash' || typeof command !== 'string') return undefined
  return `Tool requested: bash command="${command}"\n`
}

function finished(
  event: Extract<AgentEvent, { type: 'tool_finished' }>,
  tools: Map<string, RunningTool>,
  host: Host,
): string {
  const tool = tools.get(event.id)
  const seconds = (host.clock.monotonicMs() - (tool?.startedMs ?? 0)) / 1000
  const done = ` Done. (${seconds.toFixed(2)}s)\n`
  if (tool?.name !== 'bash') return done
  const { result } = event
  if (!result.ok) return `${done}Tool finished: bash error="${result.error.message}"\n`
  if (result.data.timed_out === true) return `${done}Tool finished: bash timed_out=true\n`
  return `${done}Tool finished: bash exit=${String(result.data.exit_code)}\n`
}

function details(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  Details: ${text.trimEnd()}\n`
}

/** A conversation that no longer fits is the one error that the user can mend with zdx itself. */
function withHint(message: string): string {
  const tooLong =
    /(prompt|context|input).{0,40}too (long|large)|context.{0,20}(length|window)|too many tokens/i
  return tooLong.test(message) ? `${message} (begin afresh with: zdx handoff)` : message
}
