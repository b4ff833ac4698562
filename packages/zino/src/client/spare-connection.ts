// A connection opened in advance, so that a request does not wait for connect(2). It carries one
// request. It is discarded when another process has taken over the socket path since, unless its request can be
// sent again: that check takes 20 us of a turn.
import { statSync } from 'node:fs'
import type { ServiceConnection } from './connection.ts'
import { connectService } from './connection.ts'

export class SpareConnection {
  readonly #path: string
  readonly #isRepeatable: boolean
  #connection: Promise<ServiceConnection> | undefined
  #inode: number | undefined

  constructor(path: string, { isRepeatable = false } = {}) {
    this.#path = path
    this.#isRepeatable = isRepeatable
  }

  /** Starts connecting unless a connection is open or pending. An absent service is not an error. */
  open(): void {
    if (this.#connection !== undefined) return
    this.#inode = inodeOf(this.#path)
    if (this.#inode === undefined) return
    const connection = connectService(this.#path)
    this.#connection = connection
    connection.catch(() => {
      if (this.#connection === connection) this.#connection = undefined
    })
  }

  /** Returns the connection if it still leads to the current owner of the path. */
  take(): Promise<ServiceConnection> | undefined {
    const isChecked = this.#connection !== undefined && !this.#isRepeatable
    if (isChecked && inodeOf(this.#path) !== this.#inode) this.close()
    const connection = this.#connection
    this.#connection = undefined
    return connection
  }

  close(): void {
    this.#connection?.then(
      (connection) => connection.close(),
      () => {},
    )
    this.#connection = undefined
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
