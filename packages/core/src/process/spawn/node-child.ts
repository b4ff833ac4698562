// Starts a child by `node:child_process`, which can make sockets for its streams.
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Child, ChildExit, ChildSpec } from './spawn.ts'

export class NodeChild implements Child {
  readonly failure: Promise<unknown> | undefined
  exit: ChildExit | undefined
  readonly #child: ChildProcess | undefined
  #listener: ((exit: ChildExit) => void) | undefined

  constructor({ command, args, cwd, env, isDetached, stdio }: ChildSpec) {
    const { spawn } = process.getBuiltinModule('node:child_process')
    try {
      const child = spawn(command, args, { cwd, env, detached: isDetached, stdio: [...stdio] })
      this.#child = child
      const error = new Promise<unknown>((resolve) => child.on('error', resolve))
      if (child.pid === undefined) this.failure = error
      child.on('exit', (code, signal) => {
        this.exit = { code: code ?? undefined, signal: signal ?? undefined }
        this.#listener?.(this.exit)
      })
    } catch (error) {
      this.failure = Promise.resolve(error)
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get sockets(): readonly (Socket | undefined)[] {
    return (this.#child?.stdio ?? []).map((stream) => (stream ?? undefined) as Socket | undefined)
  }

  onExit(listener: (exit: ChildExit) => void): void {
    this.#listener = listener
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  unref(): void {
    this.#child?.unref()
  }
}
