// Where the tour is shown: every step is a command line, run as it is printed, with its output below.
// A claim is printed only after it was checked.
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
  /** The exit code that belongs to the story; 0 unless said otherwise. */
  exits?: number
  /** What is shown of the output, when all of it is too much. */
  show?: (line: string) => boolean
  /** Runs to its end even when the tour is broken off meanwhile. */
  whole?: boolean
}

/** The tour cannot go on: a step failed, a claim did not hold, or somebody ended it. */
export class TourStopped extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const stepWithinMs = 120_000
const signalNumbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 }

export class Stage {
  readonly folder: TourFolder
  readonly #props: StageProps
  #zinoMayRun = false

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

  /** Runs a program in the small repository; its stdout and stderr come in the order of writing. */
  async run(words: readonly string[], options: RunOptions = {}): Promise<string> {
    this.#goOn()
    this.print(`${this.#props.paint.green('$')} ${words.map(quoted).join(' ')}`)
    if (words[0] === 'zino' && words[1] === 'up') this.#zinoMayRun = true
    const { exits = 0, show = () => true } = options
    const lines = new LinePrinter((line) => {
      if (show(line)) this.print(`  ${this.#clean(line)}`)
    })
    const result = await runProcess({
      command: 'sh',
      args: ['-c', 'exec "$@" 2>&1', 'sh', ...words],
      cwd: this.folder.repository,
      env: this.folder.env,
      deadlineMs: stepWithinMs,
      onOutput: (_stream, chunk) => lines.take(chunk),
      ...(options.whole === true ? {} : { signal: this.#props.signal }),
    })
    lines.end()
    this.#goOn()
    const code = shellExitCode(result)
    if (code !== exits) throw new TourStopped(`${words[0]} ended with ${code} instead of ${exits}`)
    return result.stdout.text()
  }

  /** Says what was seen, or ends the tour because it was not. */
  claim(words: string, holds: boolean): void {
    if (!holds) throw new TourStopped(`this should hold and does not: ${words}`)
    this.print(`${this.#props.paint.green('✓')} ${words}`)
  }

  /** Safe to call at any time; returns when zino is gone. */
  async stopZino(): Promise<void> {
    if (!this.#zinoMayRun) return
    const { env, repository: cwd } = this.folder
    await runProcess({ command: 'zino', args: ['stop'], env, cwd, deadlineMs: 15_000 })
    this.#zinoMayRun = false
  }

  #goOn(): void {
    const { signal } = this.#props
    if (!signal.aborted) return
    const name = String(signal.reason)
    throw new TourStopped('broken off', 128 + (signalNumbers[name] ?? 0))
  }

  /** Programs paint only when told to; what they quote from files may hold anything. */
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

  take(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#print(line)
  }

  end(): void {
    if (this.#rest !== '') this.#print(this.#rest)
    this.#rest = ''
  }
}

/** As one would type it. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return /['!$`\\]/.test(word) || word.includes('"')
    ? `'${word.replaceAll("'", String.raw`'\''`)}'`
    : `"${word}"`
}
