// Real pipes for children. What Node calls a pipe is a socket pair: on Linux a child cannot open
// /dev/stdout or /dev/stdin on a socket, and Node reads one only into a new buffer for each chunk.
// Built-ins cannot make a pipe, but every shell makes one for a here-document, and /proc lends it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf } from './errors.ts'

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
  const lender = directions.length === 0 ? undefined : startLender(directions.length)
  if (lender === undefined) return noPipes
  const word = itsWord(lender)
  // Taken later or never: until then a failure is nobody's.
  word.catch(() => {})
  return {
    take: () => takePipes(lender, word, directions),
    cancel: () => lender.stdout?.destroy(),
  }
}

const noPipes: PipeOrder = { take: () => Promise.resolve(undefined), cancel() {} }

async function takePipes(
  lender: ChildProcess,
  word: Promise<void>,
  directions: readonly PipeDirection[],
): Promise<RealPipe[] | undefined> {
  try {
    const folder = `/proc/${lender.pid}/fd`
    if (!existsSync(`${folder}/${lastDescriptor}`)) await word
    return openAll(folder, directions)
  } catch (error) {
    // An old shell or a closed /proc stay as they are, so do not pay for them again.
    if (!passing.has(errnoOf(error) ?? '')) available = false
    return undefined
  } finally {
    // The lender reads from the same socket, so this ends it.
    lender.stdout?.destroy()
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

/** A shell that holds pipes open, says so, and ends when its stdout, a socket of ours, does. */
function startLender(count: number): ChildProcess | undefined {
  if (!available) return undefined
  const descriptors = Array.from({ length: count }, (_, at) => `${descriptorOf(at, count)}<<E`)
  const documents = '\nE\n'.repeat(count)
  const script = `exec ${descriptors.join(' ')}\n${documents}echo; read end <&1`
  // A session of its own, so that an interrupt at the terminal does not end it halfway.
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  try {
    return spawn('/bin/sh', ['-c', script], { stdio: [...stdio], detached: true, env: {} })
  } catch {
    // A shortage that Node does not report as an event.
    return undefined
  }
}

function itsWord(lender: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    lender.on('error', reject)
    lender.stdout?.on('error', reject)
    lender.stdout?.once('data', () => resolve())
    lender.stdout?.once('close', () => reject(new Error('it ended without a word')))
  })
}

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
