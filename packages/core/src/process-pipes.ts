// Real pipes for children. What Node calls a pipe is a socket pair: on Linux a child cannot open
// /dev/stdout or /dev/stdin on a socket, and Node reads one only into a new buffer for each chunk.
// Built-ins cannot make a pipe, but every shell makes one for a here-document, and /proc lends it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf } from './errors.ts'

/** `in` is written by us and read by the child, `out` the other way round. */
export type PipeDirection = 'in' | 'out'

export interface RealPipe {
  /** Blocking, as a program expects its standard streams to be; to be closed after the spawn. */
  childEnd: number
  /** Non-blocking, for the event loop. */
  ourEnd: number
}

const firstDescriptor = 3

let available = process.platform === 'linux'

/** One pipe for each direction, or undefined where the system lends none. */
export async function makePipes(
  directions: readonly PipeDirection[],
): Promise<RealPipe[] | undefined> {
  if (!available || directions.length === 0) return undefined
  try {
    const lender = startLender(directions.length)
    await itsWord(lender)
    try {
      return openAll(`/proc/${lender.pid}/fd`, directions)
    } finally {
      // The lender reads from the same socket, so this ends it.
      lender.stdout?.destroy()
    }
  } catch (error) {
    // An old shell or a closed /proc stay as they are, so do not pay for them again.
    if (!passing.has(errnoOf(error) ?? '')) available = false
    return undefined
  }
}

// A shortage that may be over the next time.
const passing = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

export function closePipes(pipes: readonly RealPipe[]): void {
  for (const pipe of pipes) {
    closeSync(pipe.childEnd)
    closeSync(pipe.ourEnd)
  }
}

/** A shell that holds pipes open, says so, and ends when its stdout, a socket of ours, does. */
function startLender(count: number): ChildProcess {
  const descriptors = Array.from({ length: count }, (_, index) => `${firstDescriptor + index}<<E`)
  const documents = '\nE\n'.repeat(count)
  const script = `exec ${descriptors.join(' ')}\n${documents}echo; read end <&1`
  // A session of its own, so that an interrupt at the terminal does not end it halfway.
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return spawn('/bin/sh', ['-c', script], { stdio: [...stdio], detached: true, env: {} })
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
      pipes.push(openEnds(`${folder}/${firstDescriptor + index}`, direction))
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
