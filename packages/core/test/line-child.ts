// Starts a child program of the tests and collects the lines that it prints.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { childProgram } from '../../../test/support/paths.ts'

const deadlineMs = 30_000

export class LineChild {
  readonly lines: string[] = []
  /** Resolves when the child has ended and all its output has been read. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>
  readonly #process: ChildProcessWithoutNullStreams
  #partial = ''
  #onLine: ((line: string) => void) | undefined

  /** `through` is a command prefix that runs the program, such as `sh -c`. */
  constructor(program: string, args: string[], through: string[] = []) {
    const [command = '', ...rest] = [
      ...through,
      process.execPath,
      childProgram('core', program),
      ...args,
    ]
    // A minimal environment: NODE_EXTRA_CA_CERTS alone would double the start time.
    this.#process = spawn(command, rest, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } })
    let stderr = ''
    this.#process.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    this.#process.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    // A killed child breaks its pipe.
    this.#process.stdin.on('error', () => undefined)
    this.ended = new Promise((resolve, reject) => {
      this.#process.once('error', reject)
      this.#process.once('close', (code, signal) => resolve({ code, signal, stderr }))
    })
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  send(bytes: number[]): void {
    this.#process.stdin.write(Buffer.from(bytes))
  }

  endInput(): void {
    this.#process.stdin.end()
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  onLine(listener: (line: string) => void): void {
    this.#onLine = listener
  }

  /** The first line that matches, already printed or still to come. */
  async line(matches: (line: string) => boolean): Promise<string> {
    const printed = this.lines.find(matches)
    if (printed !== undefined) return printed
    return await new Promise((resolve, reject) => {
      const expire = (): void =>
        reject(new Error(`child printed only: ${this.lines.slice(-5).join()}`))
      const timer = setTimeout(expire, deadlineMs)
      const check = (): void => {
        const found = this.lines.find(matches)
        if (found === undefined) return
        clearTimeout(timer)
        this.#process.stdout.off('data', check)
        resolve(found)
      }
      this.#process.stdout.on('data', check)
      void this.ended.then(({ stderr }) => {
        clearTimeout(timer)
        reject(new Error(`child ended: ${stderr}`))
      })
    })
  }

  #read(chunk: Buffer): void {
    const lines = (this.#partial + chunk.toString()).split('\n')
    this.#partial = lines.pop() ?? ''
    for (const line of lines) {
      this.lines.push(line)
      this.#onLine?.(line)
    }
  }
}

/** Starts a child and waits until it has printed `ready`. */
export async function startChild(
  program: string,
  args: string[],
  through: string[] = [],
): Promise<LineChild> {
  const child = new LineChild(program, args, through)
  await child.line((line) => line === 'ready')
  return child
}
