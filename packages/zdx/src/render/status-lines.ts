// Formats the stderr lines of a turn where stderr is not a terminal: tools in their fixed form with what
// they acted on, warnings, errors, and the closing line.
import type { AgentEvent } from '@zee/agent'
import { coloursFor, terminalSafeText } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import type { CallView } from './call-text.ts'
import { callObject } from './call-text.ts'
import { diffLines, textsOfChange } from './file-change.ts'
import type { FileTexts } from './file-change.ts'
import { createUsageLine } from './usage-line.ts'

export interface StatusLines {
  /** The text for one event; may be empty. */
  textFor(event: AgentEvent): Promise<string>
  summaryLine(): string
}

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>

interface RunningCall extends CallView {
  startedMs: number
  texts?: FileTexts | undefined
}

export interface StatusOptions {
  root: string
  contextWindow?: number | undefined
}

export function createStatusLines(host: Host, { root, contextWindow }: StatusOptions): StatusLines {
  const paint = coloursFor(host.stderr, host.env)
  const safe = terminalSafeText(host.stderr)
  const calls = new Map<string, RunningCall>()
  const usage = createUsageLine(host.clock)

  const started = ({ id, name }: EventOf<'tool_started'>): string => {
    const call = calls.get(id)
    if (call !== undefined) {
      call.startedMs = host.clock.monotonicMs()
      call.texts = textsOfChange(name, call.input, root)
    }
    return `⚙ Running ${safe(name)}...`
  }

  const finished = async ({ id, result }: EventOf<'tool_finished'>): Promise<string> => {
    const call = calls.get(id) ?? { name: '', input: {}, root, startedMs: 0 }
    const seconds = (host.clock.monotonicMs() - call.startedMs) / 1000
    if (result.ok && call.texts !== undefined) {
      call.counts = (await diffLines(call.texts)).counts
    }
    const object = safe(callObject(call, result))
    const done = ` Done. (${seconds.toFixed(2)}s)${object === '' ? '' : `  ${object}`}\n`
    const failed = result.ok ? '' : safe(failureLine(result.error))
    return done + (call.name === 'bash' ? safe(bashLine(result)) : '') + failed
  }

  return {
    textFor: async (event) => {
      switch (event.type) {
        case 'tool_requested': {
          const { name, input } = event
          calls.set(event.id, { name, input, root, startedMs: 0 })
          return safe(requestedLine(event))
        }
        case 'tool_started':
          return started(event)
        case 'tool_finished':
          return finished(event)
        case 'usage':
          usage.add(event)
          return ''
        case 'notice':
          return `${paint.yellow('Warning:')} ${safe(event.text)}\n`
        case 'error':
          return errorText(event, paint.red, safe)
        case 'interrupted':
          return '\n^C Interrupted.\n'
        default:
          return ''
      }
    },
    summaryLine: () => {
      const text = usage.text(contextWindow, false)
      return text === '' ? '' : `${paint.dim(text)}\n`
    },
  }
}

function requestedLine({ name, input }: EventOf<'tool_requested'>): string {
  if (name !== 'bash' || typeof input.command !== 'string') return ''
  return `Tool requested: bash command="${input.command}"\n`
}

function bashLine(result: EventOf<'tool_finished'>['result']): string {
  if (!result.ok) return `Tool finished: bash error="${result.error.message}"\n`
  if (result.data.timed_out === true) return 'Tool finished: bash timed_out=true\n'
  if (typeof result.data.job === 'string') return `Tool finished: bash job=${result.data.job}\n`
  return `Tool finished: bash exit=${String(result.data.exit_code)}\n`
}

function failureLine({ code, message }: { code: string; message: string }): string {
  return `  ✗ ${code}: ${oneLine(message)}\n`
}

/** `Error [kind]: message`, and the details if there are any. */
export function errorText(
  { kind, message, details }: EventOf<'error'>,
  paint: (text: string) => string,
  safe: (text: string) => string,
): string {
  const detailsLine =
    details === undefined || details === '' ? '' : `  Details: ${details.trimEnd()}\n`
  return `${paint(`Error [${kind}]:`)} ${safe(withHandoffHint(message))}\n${safe(detailsLine)}`
}

const contextTooLong =
  /(prompt|context|input).{0,40}too (long|large)|context.{0,20}(length|window|limit|size)|too many tokens|token count.{0,60}exceed/i

/** Adds a hint to errors about a full context window. */
function withHandoffHint(message: string): string {
  return contextTooLong.test(message)
    ? `${message} (start a new session with: zdx handoff)`
    : message
}

/** The line that explains the wait before a retry. */
export function retryLine({ attempt, attempts, delayMs, error }: RetryWait): string {
  const seconds = (delayMs / 1000).toFixed(1)
  return `${oneLine(error.message)}; trying again in ${seconds} s (${attempt + 1} of ${attempts})`
}
