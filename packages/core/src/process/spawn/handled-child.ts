// Starts a child by the class of Node that `node:child_process` is made of. It takes descriptors as streams.
import type { Child, ChildExit, ChildSpec, ChildStream } from './spawn.ts'

/** A class inside of Node, as the versions in `lastTestedMinor` have it. */
interface ProcessHandle {
  readonly pid: number
  /** Returns 0 or a negative error number of the system. */
  spawn(options: object): number
  close(): void
  unref(): void
}

type ProcessHandleClass = new () => ProcessHandle

/**
 * The newest minor version of each line of Node whose handle is tested. A handle with another interface ends
 * the process (Node 24.21), so that a version without a test starts children by `node:child_process`.
 */
const lastTestedMinor: Readonly<Record<string, number>> = { 20: 20, 22: 23 }

/** Undefined where Node's handle cannot be used. */
export const ProcessHandle = findProcessHandle()

function findProcessHandle(): ProcessHandleClass | undefined {
  const { env, execArgv, versions, platform } = process
  const [major = '', minor] = versions.node.split('.')
  const isTested = Number(minor) <= (lastTestedMinor[major] ?? -1)
  if (platform !== 'linux' || !isTested || env.ZEE_PROCESS_HANDLE === '0') return undefined
  // Node would print a warning about the access.
  const words = [env.NODE_OPTIONS, ...execArgv].join(' ')
  if (/pending-deprecation|permission/.test(words) || env.NODE_PENDING_DEPRECATION === '1') {
    return undefined
  }
  try {
    const { binding } = process as unknown as {
      binding(name: string): { Process?: ProcessHandleClass }
    }
    return binding('process_wrap').Process
  } catch {
    return undefined
  }
}

/** A child whose streams are descriptors. */
export class HandledChild implements Child {
  readonly pid: number | undefined
  readonly failure: Promise<unknown> | undefined
  readonly sockets = []
  exit: ChildExit | undefined
  readonly #handle: ProcessHandle
  #listener: ((exit: ChildExit) => void) | undefined

  constructor(handle: ProcessHandle, spec: ChildSpec, envPairs: readonly string[]) {
    this.#handle = handle
    const onexit = (code: number, signal: NodeJS.Signals | ''): void => this.#end(code, signal)
    Object.assign(handle, { onexit })
    const errorNumber = handle.spawn({
      file: spec.command,
      args: [spec.command, ...spec.args],
      cwd: spec.cwd,
      envPairs,
      detached: spec.isDetached,
      stdio: spec.stdio.map(streamOption),
    })
    if (errorNumber === 0) this.pid = handle.pid
    else {
      handle.close()
      this.failure = Promise.resolve(startError(errorNumber))
    }
  }

  onExit(listener: (exit: ChildExit) => void): void {
    this.#listener = listener
  }

  kill(signal: NodeJS.Signals): void {
    if (this.exit === undefined && this.pid !== undefined) killProcess(this.pid, signal)
  }

  unref(): void {
    if (this.exit === undefined) this.#handle.unref()
  }

  #end(code: number, signal: NodeJS.Signals | ''): void {
    this.#handle.close()
    this.exit = signal === '' ? { code, signal: undefined } : { code: undefined, signal }
    this.#listener?.(this.exit)
  }
}

function streamOption(stream: ChildStream, index: number): object {
  if (stream === 'ignore') return { type: 'ignore' }
  return { type: 'fd', fd: stream === 'inherit' ? index : stream }
}

function startError(errorNumber: number): Error {
  const code = process.getBuiltinModule('node:util').getSystemErrorName(errorNumber)
  return Object.assign(new Error(`spawn ${code}`), { code })
}

function killProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited, or it runs as another user now.
  }
}
