// A connection made before it is needed, so that a request finds its way open. It carries one request
// like any other, and only when it leads to whoever listens at the path now: a service that was
// replaced meanwhile is connected to anew.
import { statSync } from 'node:fs'
import type { ServiceConnection } from './connection.ts'
import { connectService } from './connection.ts'

export class SpareConnection {
  readonly #path: string
  #connection: Promise<ServiceConnection> | undefined
  #inode: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Begins to connect, unless that was done already. A service that is away is no failure. */
  open(): void {
    if (this.#connection !== undefined) return
    this.#inode = inodeOf(this.#path)
    if (this.#inode === undefined) return
    const line = connectService(this.#path)
    this.#connection = line
    line.catch(() => {
      if (this.#connection === line) this.#connection = undefined
    })
  }

  /** Hands the connection over, when there is one that is worth anything. */
  take(): Promise<ServiceConnection> | undefined {
    if (this.#connection !== undefined && inodeOf(this.#path) !== this.#inode) this.close()
    const line = this.#connection
    this.#connection = undefined
    return line
  }

  close(): void {
    this.#connection?.then(
      (line) => line.close(),
      () => {},
    )
    this.#connection = undefined
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
