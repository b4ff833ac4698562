// The lines and the live region of a turn on a terminal: tool calls with their outcome, thinking, the
// last output lines of a running command, the time, warnings and errors.
import type { AgentEvent } from '@zee/agent'
import type { Colours } from '@zee/core/colour'
import { coloursFor, withoutControls } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import { wrapStyled } from '@zee/core/styled-text'
import { fitRow, type RegionPart, type Screen } from '../../terminal/terminal.ts'
import type { CallView } from '../call-text.ts'
import { callObject, callOutcome, callTarget, hasSucceeded, lastOutputLines } from '../call-text.ts'
import type { FileTexts } from '../file-change.ts'
import { diffLines, textsOfChange } from '../file-change.ts'
import type { ConversationInfo, RenderOptions } from '../render.ts'
import { errorText } from '../status-lines.ts'
import { createUsageLine } from '../usage-line.ts'
import { formatCallRow } from './call-row.ts'
import { OutputTail } from './output-tail.ts'

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>

interface Call extends CallView {
  id: string
  startedMs: number
  texts?: FileTexts | undefined
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
/** Keeps fast answers free of flicker. */
const showWaitAfterMs = 300
/** A command that runs longer shows its output. */
const showOutputAfterMs = 1000
/** A shorter turn without usage has no closing line. */
const showTimeAfterMs = 1000
const maxOutputLines = 5
const maxDiffLines = 20

export class TurnStatus {
  readonly #host: Host
  readonly #screen: Screen
  readonly #options: RenderOptions
  readonly #info: ConversationInfo
  readonly #paint: Colours
  readonly #usage
  readonly #calls = new Map<string, Call>()
  readonly #ticker: NodeJS.Timeout
  #running: Call | undefined
  #output: OutputTail | undefined
  readonly #startedMs: number
  #waitingSinceMs: number | undefined
  #thinking = ''

  constructor(host: Host, screen: Screen, options: RenderOptions, info: ConversationInfo) {
    this.#host = host
    this.#screen = screen
    this.#options = options
    this.#info = info
    this.#paint = coloursFor(host.stderr, host.env)
    this.#usage = createUsageLine(host.clock)
    this.#startedMs = host.clock.monotonicMs()
    this.#waitingSinceMs = this.#startedMs
    screen.setPart('status', () => this.#region())
    this.#ticker = setInterval(() => screen.request(), frameMs)
    this.#ticker.unref()
  }

  close(): void {
    clearInterval(this.#ticker)
    this.#screen.setPart('status', undefined)
  }

  /** The answer shows progress itself. */
  startAnswer(): void {
    this.#waitingSinceMs = undefined
    if (this.#thinking !== '') this.#screen.print(this.#endThinking())
  }

  addOutput(callId: string, chunk: Uint8Array): void {
    if (this.#running?.id === callId) this.#output?.add(chunk)
  }

  summaryLine(): string {
    if (this.#options.quiet) return ''
    const isLong = this.#host.clock.monotonicMs() - this.#startedMs > showTimeAfterMs
    const text = this.#usage.text(this.#info.contextWindow, isLong)
    return text === '' ? '' : `${this.#paint.dim(text)}\n`
  }

  /** The lines to print for an event; empty if there are none. */
  async textFor(event: AgentEvent): Promise<string> {
    if (event.type === 'thinking_delta') return this.#addThinking(event.text)
    const text = await this.#eventText(event)
    this.#waitingSinceMs = isWaiting(event) ? this.#host.clock.monotonicMs() : undefined
    const isShown = !this.#options.quiet || event.type === 'error' || event.type === 'interrupted'
    return isShown ? this.#endThinking() + text : ''
  }

  async #eventText(event: AgentEvent): Promise<string> {
    switch (event.type) {
      case 'tool_requested': {
        const { id, name, input } = event
        this.#calls.set(id, { id, name, input, root: this.#root(), startedMs: 0 })
        return ''
      }
      case 'tool_started':
        this.#startCall(event)
        return ''
      case 'tool_finished':
        return this.#endCall(event)
      case 'steered':
        return `you> ${withoutControls(event.text).replaceAll('\n', '\n   > ')}\n`
      case 'usage':
        this.#usage.add(event)
        return ''
      case 'notice':
        return this.#wrapped(`${this.#paint.yellow('Warning:')} ${withoutControls(event.text)}\n`)
      case 'error':
        return this.#wrapped(errorText(event, this.#paint.red, withoutControls))
      case 'interrupted':
        return '^C Interrupted.\n'
      default:
        return ''
    }
  }

  #wrapped(text: string): string {
    const width = this.#screen.columns - 1
    return text
      .split('\n')
      .flatMap((line) => wrapStyled(line, width, { first: '', rest: '  ' }))
      .join('\n')
  }

  #root(): string {
    return this.#info.root
  }

  #startCall({ id, name }: EventOf<'tool_started'>): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    call.startedMs = this.#host.clock.monotonicMs()
    call.texts = textsOfChange(name, call.input, this.#root())
    this.#running = call
    this.#output = new OutputTail(maxOutputLines)
  }

  async #endCall({ id, result }: EventOf<'tool_finished'>): Promise<string> {
    const call = this.#calls.get(id)
    this.#running = undefined
    this.#output = undefined
    if (call === undefined) return ''
    const diff = result.ok && call.texts !== undefined ? await diffLines(call.texts) : undefined
    if (diff !== undefined) call.counts = diff.counts
    const isOk = hasSucceeded(call, result)
    const row = formatCallRow({
      mark: isOk ? this.#paint.green('✓') : this.#paint.red('✗'),
      name: withoutControls(call.name),
      target: withoutControls(call.name === 'read' ? callObject(call, result) : callTarget(call)),
      outcome: withoutControls(callOutcome(call, result)),
      duration: `(${((this.#host.clock.monotonicMs() - call.startedMs) / 1000).toFixed(2)}s)`,
      columns: this.#screen.columns,
      // A cut path names no file; a cut command still says what ran.
      minTargetWidth: call.name === 'bash' ? 20 : 60,
    })
    const below = diff === undefined ? this.#failureRows(call, result) : this.#diffRows(diff.lines)
    return [row, ...below].map((line) => `${line}\n`).join('')
  }

  /** The last output of a failed command, or why another tool failed. */
  #failureRows(call: Call, result: EventOf<'tool_finished'>['result']): string[] {
    if (hasSucceeded(call, result)) return []
    const lines = result.ok
      ? lastOutputLines(result, maxOutputLines)
      : result.error.code === 'old_not_found'
        ? []
        : wrapStyled(withoutControls(result.error.message), this.#screen.columns - 3).slice(0, 5)
    return lines.map((line) => this.#dimRow(line))
  }

  #dimRow(line: string): string {
    return this.#paint.dim(fitRow(`  ${withoutControls(line)}`, this.#screen.columns - 1))
  }

  #diffRows(lines: readonly string[]): string[] {
    const body = lines.filter((line) => !line.startsWith('\\'))
    const shown = body.slice(0, maxDiffLines).map((line) => {
      const row = fitRow(`  ${withoutControls(line)}`, this.#screen.columns - 1)
      if (line.startsWith('+')) return this.#paint.green(row)
      return line.startsWith('-') ? this.#paint.red(row) : this.#paint.dim(row)
    })
    const hidden = body.length - shown.length
    return hidden > 0 ? [...shown, this.#paint.dim(`  … ${hidden} more lines`)] : shown
  }

  #addThinking(text: string): string {
    if (this.#options.quiet) return ''
    this.#waitingSinceMs = undefined
    this.#thinking += withoutControls(text)
    const end = this.#thinking.lastIndexOf('\n')
    if (end === -1) return ''
    const lines = this.#thinking.slice(0, end).split('\n')
    this.#thinking = this.#thinking.slice(end + 1)
    return lines
      .flatMap((line) => this.#thinkingRows(line))
      .map((row) => `${row}\n`)
      .join('')
  }

  #thinkingRows(line: string): string[] {
    const width = Math.min(120, this.#screen.columns - 1)
    return wrapStyled(line, width).map((row) => this.#paint.dim(row))
  }

  #endThinking(): string {
    const rows = this.#thinking === '' ? [] : this.#thinkingRows(this.#thinking)
    this.#thinking = ''
    return rows.map((row) => `${row}\n`).join('')
  }

  #region(): RegionPart {
    const rows = this.#thinking === '' ? [] : this.#thinkingRows(this.#thinking).slice(-5)
    const now = this.#host.clock.monotonicMs()
    if (this.#running !== undefined && !this.#options.quiet) {
      rows.push(...this.#runningRows(this.#running, now))
    } else if (this.#waitingSinceMs !== undefined && now - this.#waitingSinceMs > showWaitAfterMs) {
      const elapsed = now - this.#waitingSinceMs
      rows.push(`${frameAt(elapsed)} ${(elapsed / 1000).toFixed(1)} s`)
    }
    return { rows }
  }

  #runningRows(call: Call, now: number): string[] {
    const elapsed = now - call.startedMs
    const row = formatCallRow({
      mark: frameAt(elapsed),
      name: withoutControls(call.name),
      target: withoutControls(callTarget(call)),
      outcome: '',
      duration: `${(elapsed / 1000).toFixed(1)} s`,
      columns: this.#screen.columns,
    })
    const output = elapsed > showOutputAfterMs ? (this.#output?.lines() ?? []) : []
    return [row, ...output.map((line) => this.#dimRow(line))]
  }
}

/** After these events the model is asked, or a tool is about to run. */
function isWaiting({ type }: AgentEvent): boolean {
  return type !== 'turn_end' && type !== 'interrupted' && type !== 'error'
}

function frameAt(elapsedMs: number): string {
  return frames[Math.floor(elapsedMs / frameMs) % frames.length] ?? ''
}
