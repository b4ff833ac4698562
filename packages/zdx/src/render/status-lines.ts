// What stderr says while a turn goes on: tools, warnings, errors, what the turn took; on a terminal
// also the thinking and what was changed.
import type { AgentEvent } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import { changePreview } from './change-preview.ts'
import { createTally } from './usage-total.ts'

export interface StatusLines {
  /** The text for one event; empty when there is nothing to say. */
  line(event: AgentEvent): string
  /** What must precede the answer when thinking stands in the current line. */
  endThinking(): string
  /** Whether the next thing may begin without a line break. */
  atLineStart(): boolean
  /** A last line for the whole turn. */
  closing(): string
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
  // What a model or a server sends must not steer the terminal it is shown on.
  const safe = isTerminal ? withoutControls : (text: string) => text
  const tools = new Map<string, RunningTool>()
  const tally = createTally(host.clock)
  let midLine = false

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

  const textOf = (event: AgentEvent): string => {
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
        tally.add(event)
        return ''
      case 'notice':
        return `${paint.yellow('Warning:')} ${safe(event.text)}\n`
      case 'error':
        return `${paint.red(`Error [${event.kind}]:`)} ${safe(withHint(event.message))}\n${safe(details(event.details))}`
      case 'interrupted':
        return '\n^C Interrupted.\n'
      default:
        return ''
    }
  }

  const endThinking = (): string => {
    if (!midLine) return ''
    midLine = false
    return '\n'
  }

  return {
    line: (event) => {
      if (event.type === 'thinking_delta') {
        if (isTerminal) midLine = !event.text.endsWith('\n')
        return textOf(event)
      }
      const text = textOf(event)
      return text === '' ? '' : endThinking() + text
    },
    endThinking,
    atLineStart: () => !midLine,
    closing: () => {
      const text = tally.text(isTerminal)
      return text === '' ? '' : `${endThinking()}${paint.dim(text)}\n`
    },
  }
}

function requestedLine({ name, input }: EventOf<'tool_requested'>): string {
  if (name !== 'bash' || typeof input.command !== 'string') return ''
  return `Tool requested: bash command="${input.command}"\n`
}

function details(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  Details: ${text.trimEnd()}\n`
}

const tooLong =
  /(prompt|context|input).{0,40}too (long|large)|context.{0,20}(length|window|limit|size)|too many tokens|token count.{0,60}exceed/i

/** A conversation that no longer fits is the one error that the user can mend with zdx itself. */
function withHint(message: string): string {
  return tooLong.test(message) ? `${message} (begin afresh with: zdx handoff)` : message
}

/** Why nothing happens for a moment. */
export function retryLine({ attempt, attempts, delayMs, error }: RetryWait): string {
  const seconds = (delayMs / 1000).toFixed(1)
  return `${error.message}; trying again in ${seconds} s (${attempt + 1} of ${attempts})`
}
