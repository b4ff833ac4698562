// Formats the stderr lines of a turn: tools, warnings, errors and token usage. A terminal also gets
// thinking and previews of changes.
import type { AgentEvent } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import { changePreview } from './change-preview.ts'
import { createUsageTotal } from './usage-total.ts'

export interface StatusLines {
  /** The text for one event; may be empty. */
  textFor(event: AgentEvent): string
  /** A newline if the current line holds thinking, otherwise empty. */
  endThinking(): string
  isAtLineStart(): boolean
  /** The line with the usage of the turn. */
  summaryLine(): string
}

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>

interface RunningTool {
  name: string
  startedMs: number
  preview: string
}

export function createStatusLines(host: Host): StatusLines {
  const paint = coloursFor(host.stderr, host.env)
  const isTerminal = host.stderr.isTTY === true
  // Text of a model or a server must not send control sequences to the terminal.
  const safe = isTerminal ? withoutControls : (text: string) => text
  const tools = new Map<string, RunningTool>()
  const usage = createUsageTotal(host.clock)
  let isMidLine = false

  const requested = (event: EventOf<'tool_requested'>): string => {
    const preview = isTerminal ? changePreview(event, paint) : ''
    tools.set(event.id, { name: event.name, startedMs: 0, preview })
    return safe(requestedLine(event))
  }

  const started = ({ id, name }: EventOf<'tool_started'>): string => {
    const tool = tools.get(id)
    if (tool !== undefined) tool.startedMs = host.clock.monotonicMs()
    return `⚙ Running ${safe(name)}...`
  }

  const finished = ({ id, result }: EventOf<'tool_finished'>): string => {
    const tool = tools.get(id)
    const seconds = (host.clock.monotonicMs() - (tool?.startedMs ?? 0)) / 1000
    const done = ` Done. (${seconds.toFixed(2)}s)\n`
    if (tool?.name !== 'bash') return done + (result.ok ? (tool?.preview ?? '') : '')
    if (!result.ok) return `${done}Tool finished: bash error="${safe(result.error.message)}"\n`
    if (result.data.timed_out === true) return `${done}Tool finished: bash timed_out=true\n`
    return `${done}Tool finished: bash exit=${String(result.data.exit_code)}\n`
  }

  const eventText = (event: AgentEvent): string => {
    switch (event.type) {
      case 'tool_requested':
        return requested(event)
      case 'tool_started':
        return started(event)
      case 'tool_finished':
        return finished(event)
      case 'thinking_delta':
        return isTerminal ? paint.dim(safe(event.text)) : ''
      case 'usage':
        usage.add(event)
        return ''
      case 'notice':
        return `${paint.yellow('Warning:')} ${safe(event.text)}\n`
      case 'error':
        return `${paint.red(`Error [${event.kind}]:`)} ${safe(withHandoffHint(event.message))}\n${safe(detailsLine(event.details))}`
      case 'interrupted':
        return '\n^C Interrupted.\n'
      default:
        return ''
    }
  }

  const endThinking = (): string => {
    if (!isMidLine) return ''
    isMidLine = false
    return '\n'
  }

  return {
    textFor: (event) => {
      if (event.type === 'thinking_delta') {
        if (isTerminal) isMidLine = !event.text.endsWith('\n')
        return eventText(event)
      }
      const text = eventText(event)
      return text === '' ? '' : endThinking() + text
    },
    endThinking,
    isAtLineStart: () => !isMidLine,
    summaryLine: () => {
      const text = usage.text(isTerminal)
      return text === '' ? '' : `${endThinking()}${paint.dim(text)}\n`
    },
  }
}

function requestedLine({ name, input }: EventOf<'tool_requested'>): string {
  if (name !== 'bash' || typeof input.command !== 'string') return ''
  return `Tool requested: bash command="${input.command}"\n`
}

function detailsLine(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  Details: ${text.trimEnd()}\n`
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
  return `${error.message}; trying again in ${seconds} s (${attempt + 1} of ${attempts})`
}
