// Real pipes for children. What Node calls a pipe is a socket pair: on Linux a child cannot open
// /dev/stdout or /dev/stdin on a socket, and Node reads one only into a new buffer for each chunk.
// Built-ins cannot make a pipe, but every shell makes one for a here-document, and /proc lends it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'

/** `in` is written by us and read by the child, `out` the other way round. */
export type PipeDirection = 'in' | 'out'

export interface RealPipe {
  /** Blocking, as a program expects its standard streams to be; to be closed after the spawn. */
  childEnd: number
  /** Non-blocking, for the event loop. */
  ourEnd: number
}

/** Pipes that are being made. Nothing is held open for whoever asks and then does not take them. */
export interface PipeOrder {
  /** One pipe for each direction, or undefined where the system lends none. */
  take(): Promise<RealPipe[] | undefined>
  /** They are not wanted after all. */
  cancel(): void
}

let available = process.platform === 'linux'

/** Making pipes takes a moment: order them early, and take them when the child is to start. */
export function orderPipes(directions: readonly PipeDirection[]): PipeOrder {
  let lender = startLender(directions.length)
  return {
    async take() {
      const pipes = await takePipes(lender, directions)
      if (pipes !== undefined || lender?.sleptOut !== true) return pipes
      // We were held up for that long: the second one is asked at once.
      lender = startLender(directions.length)
      return takePipes(lender, directions)
    },
    cancel: () => lender?.end(),
  }
}

async function takePipes(
  lender: Lender | undefined,
  directions: readonly PipeDirection[],
): Promise<RealPipe[] | undefined> {
  if (lender === undefined) return undefined
  try {
    await lender.ready()
    return openAll(lender.folder, directions)
  } catch (error) {
    // An old shell or a closed /proc stay as they are, so do not pay for them again.
    if (!lender.sleptOut && !passing.has(errnoOf(error) ?? '')) available = false
    return undefined
  } finally {
    lender.end()
  }
}

// A shortage that may be over the next time.
const passing = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

function closePipes(pipes: readonly RealPipe[]): void {
  for (const pipe of pipes) {
    closeSync(pipe.childEnd)
    closeSync(pipe.ourEnd)
  }
}

/**
 * The highest numbers that every shell knows: a pipe in the making has a low one, so once the last
 * of these is there all pipes are complete.
 */
const lastDescriptor = 9

function descriptorOf(index: number, count: number): number {
  return lastDescriptor - count + 1 + index
}

/** How long pipes are lent: whoever is killed before it could end its lender leaves it that long. */
const lentSeconds = 5
const pollMs = 1

function startLender(count: number): Lender | undefined {
  if (!available || count === 0) return undefined
  try {
    return new Lender(count)
  } catch {
    // A shortage that Node does not report as an event.
    return undefined
  }
}

/**
 * A shell that makes pipes and then sleeps with them. It has no stream to us, which would cost more
 * than the shell does, and a session of its own, so that an interrupt at the terminal does not end
 * it halfway.
 */
class Lender {
  readonly #child: ChildProcess
  #failure: Error | undefined

  constructor(count: number) {
    const descriptors = Array.from({ length: count }, (_, at) => `${descriptorOf(at, count)}<<E`)
    const documents = '\nE\n'.repeat(count)
    const script = `exec ${descriptors.join(' ')}\n${documents}${sleepCommand}`
    const options = { stdio: 'ignore', detached: true, env: {} } as const
    this.#child = spawn('/bin/sh', ['-c', script], options)
    this.#child.on('error', (error) => {
      this.#failure = error
    })
  }

  get folder(): string {
    return `/proc/${this.#child.pid}/fd`
  }

  /** Nobody took the pipes while they were there. */
  get sleptOut(): boolean {
    return this.#child.exitCode === 0
  }

  async ready(): Promise<void> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure
      // First, because then its number may be that of another process.
      const { exitCode, signalCode } = this.#child
      if (exitCode !== null || signalCode !== null) throw new Error('it has ended')
      if (existsSync(`${this.folder}/${lastDescriptor}`)) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Systems differ in where it is, and the lender has no environment to find it by. */
const sleepCommand = `PATH=/bin:/usr/bin:/run/current-system/sw/bin; exec sleep ${lentSeconds}`

function openAll(folder: string, directions: readonly PipeDirection[]): RealPipe[] {
  const pipes: RealPipe[] = []
  try {
    for (const [index, direction] of directions.entries()) {
      pipes.push(openEnds(`${folder}/${descriptorOf(index, directions.length)}`, direction))
    }
    return pipes
  } catch (error) {
    closePipes(pipes)
    throw error
  }
}

function openEnds(path: string, direction: PipeDirection): RealPipe {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const isOut = direction === 'out'
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  let writer: number | undefined
  try {
    // Shells before bash 5.1 keep the document in a file instead.
    if (!fstatSync(reader).isFIFO()) throw new Error('not a pipe')
    takeDocument(reader)
    writer = openSync(path, isOut ? O_WRONLY : O_WRONLY | O_NONBLOCK)
    if (isOut) return { ourEnd: reader, childEnd: writer }
    const childEnd = openSync(path, O_RDONLY)
    closeSync(reader)
    return { ourEnd: writer, childEnd }
  } catch (error) {
    closeSync(reader)
    if (writer !== undefined) closeSync(writer)
    throw error
  }
}

/** The document is one empty line, since some shells give no pipe for an empty one. */
function takeDocument(reader: number): void {
  const length = readSync(reader, Buffer.alloc(16))
  if (length !== 1) throw new Error('not the document that was asked for')
}
