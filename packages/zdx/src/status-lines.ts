// What stderr says while a turn goes on: tools, warnings, errors; on a terminal also what was changed
// and what the turn cost.
import type { AgentEvent } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import { changePreview } from './change-preview.ts'

export interface StatusLines {
  /** The text for one event; empty when there is nothing to say. */
  line(event: AgentEvent): string
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
  const startedMs = host.clock.monotonicMs()
  const tokens = { input: 0, output: 0 }

  const finished = ({ id, result }: EventOf<'tool_finished'>): string => {
    const tool = tools.get(id)
    const seconds = (host.clock.monotonicMs() - (tool?.startedMs ?? 0)) / 1000
    const done = ` Done. (${seconds.toFixed(2)}s)\n`
    if (tool?.name !== 'bash') return done + (result.ok ? (tool?.preview ?? '') : '')
    if (!result.ok) return `${done}Tool finished: bash error="${safe(result.error.message)}"\n`
    if (result.data.timed_out === true) return `${done}Tool finished: bash timed_out=true\n`
    return `${done}Tool finished: bash exit=${String(result.data.exit_code)}\n`
  }

  const line = (event: AgentEvent): string => {
    switch (event.type) {
      case 'tool_requested': {
        const preview = isTerminal ? changePreview(event, paint) : ''
        tools.set(event.id, { name: event.name, startedMs: 0, preview })
        return safe(requested(event))
      }
      case 'tool_started': {
        const tool = tools.get(event.id)
        if (tool !== undefined) tool.startedMs = host.clock.monotonicMs()
        return `⚙ Running ${safe(event.name)}...`
      }
      case 'tool_finished':
        return finished(event)
      case 'usage':
        tokens.input += event.usage.inputTokens
        tokens.output += event.usage.outputTokens
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

  const closing = (): string => {
    if (!isTerminal) return ''
    const seconds = ((host.clock.monotonicMs() - startedMs) / 1000).toFixed(1)
    const used = tokens.input + tokens.output
    const cost = used === 0 ? '' : `${tokens.input} tokens in, ${tokens.output} out, `
    return `${paint.dim(`${cost}${seconds} s`)}\n`
  }

  return { line, closing }
}

function requested({ name, input }: EventOf<'tool_requested'>): string {
  if (name !== 'bash' || typeof input.command !== 'string') return ''
  return `Tool requested: bash command="${input.command}"\n`
}

function details(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  Details: ${text.trimEnd()}\n`
}

const tooLong =
  /(prompt|context|input).{0,40}too (long|large)|context.{0,20}(length|window)|too many tokens/i

/** A conversation that no longer fits is the one error that the user can mend with zdx itself. */
function withHint(message: string): string {
  return tooLong.test(message) ? `${message} (begin afresh with: zdx handoff)` : message
}
