// Real pipes for children. Node's stdio 'pipe' is a socket pair, and on Linux a child cannot open
// /dev/stdout or /dev/stdin on a socket. Node has no call that makes a pipe, so a helper /bin/sh makes
// one per here-document and we open both ends through /proc/<pid>/fd. The script is fixed text; the
// helper gets an empty environment. ADR 15 has the measured gain; ZEE_REAL_PIPES=0 turns this off.
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Socket, SocketConstructorOpts } from 'node:net'
import { errnoOf } from '../errors/errors.ts'
import { type Child, spawnChild } from './spawn/spawn.ts'

/** `in` is written by us and read by the child, `out` the other way round. */
export type PipeDirection = 'in' | 'out'

export interface RealPipe {
  /** Blocking, as a program expects its standard streams to be; to be closed after the spawn. */
  childEnd: number
  /** Non-blocking, for the event loop. */
  ourEnd: number
}

/** Pipes that a helper shell is making. No descriptor is open in this process before `open`. */
export interface PendingPipes {
  /** One pipe for each direction, or undefined where real pipes are not available. */
  open(): Promise<RealPipe[] | undefined>
  /** Kills the helper shell; harmless after `open`. */
  cancel(): void
}

// Reads the environment once here instead of at the program's entry, so that callers need not pass the
// switch through. Set to false after a failure that would repeat.
let isAvailable = process.platform === 'linux' && process.env.ZEE_REAL_PIPES !== '0'

/** Starts making pipes. The helper needs a few milliseconds: call this early and `open` them late. */
export function preparePipes(directions: readonly PipeDirection[]): PendingPipes {
  let helper = startHelper(directions.length)
  return {
    async open() {
      const pipes = await openWhenReady(helper, directions)
      if (pipes !== undefined || helper?.hasExpired !== true) return pipes
      // This process was suspended for longer than the helper lives: retry once.
      helper = startHelper(directions.length)
      return openWhenReady(helper, directions)
    },
    cancel: () => helper?.kill(),
  }
}

async function openWhenReady(
  helper: HelperShell | undefined,
  directions: readonly PipeDirection[],
): Promise<RealPipe[] | undefined> {
  if (helper === undefined) return undefined
  try {
    await helper.ready()
    return openPipes(helper.fdFolder, directions)
  } catch (error) {
    // An old shell or an unreadable /proc stays that way: do not start another helper.
    if (!helper.hasExpired && !transientErrors.has(errnoOf(error) ?? '')) isAvailable = false
    return undefined
  } finally {
    helper.kill()
  }
}

// Shortages that the next call may not meet.
const transientErrors = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

function closePipes(pipes: readonly RealPipe[]): void {
  for (const pipe of pipes) {
    closeSync(pipe.childEnd)
    closeSync(pipe.ourEnd)
  }
}

/**
 * The highest descriptor that every shell supports. While the shell makes a pipe, its ends have low
 * numbers, so all pipes are complete once this number is open.
 */
const lastDescriptor = 9

function descriptorOf(index: number, count: number): number {
  return lastDescriptor - count + 1 + index
}

/** If zee is killed, the helper shell exits by itself after this time. */
const helperLifetimeSeconds = 5
const pollMs = 1

function startHelper(count: number): HelperShell | undefined {
  if (!isAvailable || count === 0) return undefined
  return new HelperShell(count)
}

/**
 * A shell that makes pipes and then sleeps while they are open. It has no stream to us, which would
 * cost more than the shell does. It has its own session, so Ctrl+C at the terminal does not reach it.
 */
class HelperShell {
  readonly #child: Child

  constructor(count: number) {
    const descriptors = Array.from(
      { length: count },
      (_, index) => `${descriptorOf(index, count)}<<E`,
    )
    const documents = '\nE\n'.repeat(count)
    const script = `exec ${descriptors.join(' ')}\n${documents}${sleepCommand}`
    this.#child = spawnChild({
      command: '/bin/sh',
      args: ['-c', script],
      env: {},
      isDetached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  }

  get fdFolder(): string {
    return `/proc/${this.#child.pid}/fd`
  }

  /** The helper's lifetime ended before the pipes were opened. */
  get hasExpired(): boolean {
    return this.#child.exit?.code === 0
  }

  async ready(): Promise<void> {
    if (this.#child.failure !== undefined) throw await this.#child.failure
    for (;;) {
      // Checked before the folder: after the exit its pid may belong to another process.
      if (this.#child.exit !== undefined) throw new Error('the helper shell has exited')
      if (existsSync(`${this.fdFolder}/${lastDescriptor}`)) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** The helper has no PATH of its own; the third folder is that of NixOS. */
const sleepCommand = `PATH=/bin:/usr/bin:/run/current-system/sw/bin; exec sleep ${helperLifetimeSeconds}`

function openPipes(folder: string, directions: readonly PipeDirection[]): RealPipe[] {
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
    // bash before 5.1 stores the document in a temporary file instead.
    if (!fstatSync(reader).isFIFO()) throw new Error('not a pipe')
    discardDocument(reader)
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

/** Reads the document, one empty line: some shells make no pipe for an empty document. */
function discardDocument(reader: number): void {
  const length = readSync(reader, Buffer.alloc(16))
  if (length !== 1) throw new Error('unexpected content in the pipe')
}

/**
 * Our end of a pipe as a stream. `node:net` is loaded at its first use: with the streams that it loads, it adds
 * 2 ms of CPU time to a start.
 */
export function openSocket(options: SocketConstructorOpts): Socket {
  return new (process.getBuiltinModule('node:net').Socket)(options)
}
