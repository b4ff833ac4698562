// Shows the tour. Each step prints a command line, runs it and prints its output below. A claim is
// printed only after its check.
import { runProcess, shellExitCode } from '@zee/core/process'
import { withoutControls, type Colours } from '@zee/core/colour'
import type { TourFolder } from './folder.ts'

export interface StageProps {
  folder: TourFolder
  out: NodeJS.WriteStream
  paint: Colours
  signal: AbortSignal
}

export interface RunOptions {
  /** The expected exit code, 0 by default. */
  exits?: number
  /** Selects the lines of the output to print; all by default. */
  show?: (line: string) => boolean
  /** Runs to its end even if the tour is interrupted. */
  uninterrupted?: boolean
}

/** The tour cannot continue: a step failed, a claim did not hold, or a signal arrived. */
export class TourStopped extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const stepDeadlineMs = 120_000
const signalNumbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 }

export class Stage {
  readonly folder: TourFolder
  readonly #props: StageProps
  #mayZinoRun = false

  constructor(props: StageProps) {
    this.folder = props.folder
    this.#props = props
  }

  heading(title: string, words: string): void {
    const { bold, cyan } = this.#props.paint
    this.print(`\n${cyan(bold(title))}  ${words}`)
  }

  print(line = ''): void {
    this.#props.out.write(`${line}\n`)
  }

  /** Runs a program in the repository, with stderr redirected to stdout, and returns its output. */
  async run(words: readonly string[], options: RunOptions = {}): Promise<string> {
    this.#throwIfInterrupted()
    this.print(`${this.#props.paint.green('$')} ${words.map(quoted).join(' ')}`)
    if (words[0] === 'zino' && words[1] === 'up') this.#mayZinoRun = true
    const { exits = 0, show = () => true } = options
    const lines = new LinePrinter((line) => {
      if (show(line)) this.print(`  ${this.#clean(line)}`)
    })
    const result = await runProcess({
      command: 'sh',
      args: ['-c', 'exec "$@" 2>&1', 'sh', ...words],
      cwd: this.folder.repository,
      env: this.folder.env,
      deadlineMs: stepDeadlineMs,
      onOutput: (_stream, chunk) => lines.push(chunk),
      ...(options.uninterrupted === true ? {} : { signal: this.#props.signal }),
    })
    lines.end()
    this.#throwIfInterrupted()
    const code = shellExitCode(result)
    if (code !== exits) throw new TourStopped(`${words[0]} exited with ${code}, expected ${exits}`)
    return result.stdout.text()
  }

  /** Prints the claim, or ends the tour when it does not hold. */
  claim(words: string, holds: boolean): void {
    if (!holds) throw new TourStopped(`check failed: ${words}`)
    this.print(`${this.#props.paint.green('✓')} ${words}`)
  }

  /** Safe to call at any time. Resolves when zino has stopped. */
  async stopZino(): Promise<void> {
    if (!this.#mayZinoRun) return
    const { env, repository: cwd } = this.folder
    await runProcess({ command: 'zino', args: ['stop'], env, cwd, deadlineMs: 15_000 })
    this.#mayZinoRun = false
  }

  #throwIfInterrupted(): void {
    const { signal } = this.#props
    if (!signal.aborted) return
    const name = String(signal.reason)
    throw new TourStopped('interrupted', 128 + (signalNumbers[name] ?? 0))
  }

  /** Removes control characters that programs may quote from files. Colours stay. */
  #clean(line: string): string {
    return line
      .split(/(\u001b\[[\d;]*m)/)
      .map((part, index) => (index % 2 === 1 ? part : withoutControls(part)))
      .join('')
  }
}

class LinePrinter {
  readonly #print: (line: string) => void
  readonly #decoder = new TextDecoder()
  #rest = ''

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#print(line)
  }

  end(): void {
    if (this.#rest !== '') this.#print(this.#rest)
    this.#rest = ''
  }
}

/** Quotes a word for the shell where needed. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return /['!$`\\]/.test(word) || word.includes('"')
    ? `'${word.replaceAll("'", String.raw`'\''`)}'`
    : `"${word}"`
}
