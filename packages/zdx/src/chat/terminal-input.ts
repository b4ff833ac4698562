// The input of a chat on a terminal: raw mode, the editor in the live region, lines queued during a
// turn, Ctrl+Z, and lending the terminal to another program.
import type { TurnEnd } from '@zee/agent'
import { withoutControls } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { fitRow, type Key, KeyDecoder, type Screen } from '../terminal/terminal.ts'
import type { CompletionSources, EditorRequest } from './editor/editor.ts'
import { appendHistory, Editor, loadHistory } from './editor/editor.ts'
import type { LineSource } from './lines.ts'
import { promptText } from './lines.ts'

const pasteMarksOn = '\u001b[?2004h'
const pasteMarksOff = '\u001b[?2004l'

/** The prompt while a turn runs: Enter queues the line. */
const queuePrompt = 'next> '

/** If the process group is orphaned, the system ignores the request to stop. */
const stopWaitMs = 50

interface QueuedLine {
  text: string
  shown: string
}

export interface TerminalInputOptions {
  screen: Screen
  base: string
  sources: CompletionSources
  interrupts: Interrupts
  /** Whether a line is a command, which is never sent with a request. */
  isCommand: (line: string) => boolean
}

/** What Enter does: sends a prompt, queues a line, answers a question, or nothing. */
type Mode = 'prompt' | 'turn' | 'question' | 'busy'

export class TerminalInput implements LineSource {
  readonly #host: Host
  readonly #options: TerminalInputOptions
  readonly #historyFile: string
  readonly #editor: Editor
  readonly #decoder: KeyDecoder
  readonly #queue: QueuedLine[] = []
  #mode: Mode = 'busy'
  #question: { prompt: string; editor: Editor } | undefined
  #settle: ((line: string | undefined) => void) | undefined
  #isEnded = false
  #isLent = false
  #isStopping = false
  /** The next chunk may hold lines that were typed while the terminal was in line mode. */
  #isFirstChunk = true
  readonly #onData = (chunk: Buffer) => this.#read(chunk)
  readonly #onContinue = () => this.#takeTerminal()
  readonly #onEnd = () => this.#end()
  /** A second signal exits at once; the shell must not get marks around later pastes. */
  readonly #onExit = () => void this.#host.stderr.write(pasteMarksOff)

  constructor(host: Host, options: TerminalInputOptions) {
    this.#host = host
    this.#options = options
    this.#historyFile = path.join(options.base, 'history')
    this.#editor = new Editor(loadHistory(this.#historyFile), options.sources)
    this.#decoder = new KeyDecoder((key) => this.#handle(key))
    host.stdin.on('data', this.#onData)
    host.stdin.on('end', this.#onEnd)
    process.on('SIGCONT', this.#onContinue)
    process.on('exit', this.#onExit)
    this.#setRawMode(true)
    host.stdin.resume()
  }

  async next(): Promise<string | undefined> {
    const { screen, interrupts } = this.#options
    const queued = this.#takeForPrompt()
    if (queued !== undefined) return this.#accept(queued)
    if (this.#isEnded || interrupts.signal.aborted) return undefined
    const line = await this.#waitFor('prompt', interrupts.signal)
    if (line === undefined) screen.print('\n')
    screen.clear()
    return line
  }

  startTurn(): void {
    this.#setMode('turn')
  }

  endTurn(end: TurnEnd): void {
    if (end === 'interrupted' && this.#queue.length > 0) {
      const lines = this.#queue.splice(0).map(({ text }) => text)
      this.#editor.prepend(lines.join('\n'))
    }
    this.#setMode('busy')
    this.#options.screen.clear()
  }

  /** Removes the queued lines up to the first command. */
  takeQueued(): string[] {
    const lines = this.#takePrompts().map(({ text }) => text)
    if (lines.length > 0) this.#show()
    return lines
  }

  async ask(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const before = this.#mode
    this.#question = { prompt, editor: new Editor([], this.#options.sources) }
    const answer = await this.#waitFor('question', signal)
    const { screen } = this.#options
    if (answer !== undefined) screen.print(`${prompt}${withoutControls(answer)}\n`)
    this.#question = undefined
    this.#setMode(before)
    screen.draw()
    return answer
  }

  /** Gives the terminal to `work`, for example to a program that it starts. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#releaseTerminal()
    this.#isLent = true
    this.#host.stdin.pause()
    try {
      return await this.#options.interrupts.whileIgnored(work)
    } finally {
      this.#isLent = false
      this.#host.stdin.resume()
      this.#takeTerminal()
    }
  }

  text(): string {
    return this.#editor.text
  }

  setText(text: string): void {
    this.#editor.setText(text)
  }

  close(): void {
    const { stdin } = this.#host
    this.#setMode('busy')
    this.#options.screen.close()
    this.#setRawMode(false)
    process.removeListener('SIGCONT', this.#onContinue)
    process.removeListener('exit', this.#onExit)
    stdin.removeListener('data', this.#onData)
    stdin.removeListener('end', this.#onEnd)
    stdin.destroy()
  }

  /** Waits for a line in `mode`; undefined at the end of input or when the signal fires. */
  #waitFor(mode: Mode, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (line: string | undefined) => {
        signal.removeEventListener('abort', onAbort)
        this.#settle = undefined
        // Keys of the same chunk come before `next` goes on; their lines must be queued.
        this.#setMode('busy')
        resolve(line)
      }
      const onAbort = () => settle(undefined)
      this.#settle = settle
      signal.addEventListener('abort', onAbort, { once: true })
      this.#setMode(mode)
    })
  }

  #takePrompts(): QueuedLine[] {
    const { isCommand } = this.#options
    const first = this.#queue.findIndex(({ text }) => isCommand(text.trim()))
    return this.#queue.splice(0, first === -1 ? this.#queue.length : first)
  }

  /** Queued prompts as one prompt, or one queued command. */
  #takeForPrompt(): QueuedLine | undefined {
    const lines = this.#takePrompts()
    if (lines.length === 0) return this.#queue.shift()
    return {
      text: lines.map(({ text }) => text).join('\n'),
      shown: lines.map(({ shown }) => shown).join('\n'),
    }
  }

  #accept({ text, shown }: QueuedLine): string {
    const { screen } = this.#options
    screen.print(`${promptText}${shown.replaceAll('\n', '\n   > ')}\n`)
    screen.clear()
    if (text.trim() !== '') {
      appendHistory(this.#historyFile, text)
      this.#editor.addHistory(text)
    }
    return text
  }

  /** In line mode the terminal turns Enter into a newline, which is Ctrl+J for the editor. */
  #read(chunk: Buffer): void {
    const typed = this.#isFirstChunk ? chunk.map((byte) => (byte === 0x0a ? 0x0d : byte)) : chunk
    this.#isFirstChunk = false
    this.#decoder.write(typed)
  }

  #handle(key: Key): void {
    if (key.type === 'key' && key.name === 'ctrl+c' && this.#mode !== 'prompt') {
      process.kill(process.pid, 'SIGINT')
      return
    }
    const editor = this.#question?.editor ?? this.#editor
    const request = editor.handle(key)
    if (request !== undefined) this.#fulfil(request)
    this.#show()
    this.#options.screen.draw()
  }

  #fulfil(request: EditorRequest): void {
    const { screen } = this.#options
    switch (request.type) {
      case 'submit':
        this.#submit(request)
        break
      case 'interrupt':
        process.kill(process.pid, 'SIGINT')
        break
      case 'end':
        if (this.#mode === 'prompt') this.#end()
        break
      case 'suspend':
        this.#suspend()
        break
      case 'open_editor':
        if (this.#mode === 'prompt') this.#settle?.(':edit')
        break
      case 'clear_screen':
        screen.clear()
        this.#host.stderr.write('\u001b[H\u001b[2J')
        break
    }
  }

  #submit(line: QueuedLine): void {
    if (this.#mode === 'question') this.#settle?.(line.text)
    else if (this.#mode === 'prompt') this.#settle?.(this.#accept(line))
    else if (line.text.trim() !== '') this.#queue.push(line)
  }

  #end(): void {
    this.#isEnded = true
    this.#settle?.(undefined)
  }

  #setMode(mode: Mode): void {
    this.#mode = mode
    this.#show()
  }

  /** Sets the parts of the region that belong to the input. */
  #show(): void {
    const { screen } = this.#options
    const view = (editor: Editor, prompt: string) => () =>
      editor.view(prompt, screen.columns, Math.max(1, Math.floor(screen.rows / 2)))
    const isTyping = this.#mode === 'turn' && !this.#editor.isEmpty()
    if (this.#question !== undefined) {
      screen.setPart('editor', view(this.#question.editor, this.#question.prompt))
    } else if (this.#mode === 'prompt' || isTyping) {
      screen.setPart('editor', view(this.#editor, isTyping ? queuePrompt : promptText))
    } else {
      screen.setPart('editor', undefined)
    }
    const queue = () => ({
      rows: this.#queue.map(({ shown }) => queuedRow(shown, screen.columns)),
    })
    screen.setPart('queue', this.#queue.length === 0 ? undefined : queue)
  }

  #suspend(): void {
    this.#releaseTerminal()
    this.#isStopping = true
    process.kill(0, 'SIGTSTP')
    setTimeout(() => {
      if (this.#isStopping) this.#takeTerminal()
    }, stopWaitMs)
  }

  #releaseTerminal(): void {
    this.#options.screen.pause()
    this.#decoder.reset()
    this.#setRawMode(false)
  }

  #takeTerminal(): void {
    if (this.#isLent) return
    this.#isStopping = false
    // The shell has changed the mode of the terminal without Node's knowledge.
    this.#setRawMode(false)
    this.#setRawMode(true)
    this.#options.screen.resume()
  }

  #setRawMode(isRaw: boolean): void {
    const { stdin, stderr } = this.#host
    if (!stdin.destroyed) stdin.setRawMode(isRaw)
    if (isRaw) this.#isFirstChunk = true
    stderr.write(isRaw ? pasteMarksOn : pasteMarksOff)
  }
}

function queuedRow(text: string, columns: number): string {
  return fitRow(`queued: ${text.replaceAll('\n', ' ⏎ ')}`, Math.max(8, columns - 1))
}
