// A connection made before it is needed, so that a request finds its way open. It carries one request
// like any other, and only when it leads to whoever listens at the path now: a service that was
// replaced meanwhile is connected to anew.
import { statSync } from 'node:fs'
import type { Line } from './line.ts'
import { openLine } from './line.ts'

export class SpareLine {
  readonly #path: string
  #line: Promise<Line> | undefined
  #inode: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Begins to connect, unless that was done already. A service that is away is no failure. */
  open(): void {
    if (this.#line !== undefined) return
    this.#inode = inodeOf(this.#path)
    if (this.#inode === undefined) return
    const line = openLine(this.#path)
    this.#line = line
    line.catch(() => {
      if (this.#line === line) this.#line = undefined
    })
  }

  /** Hands the connection over, when there is one that is worth anything. */
  take(): Promise<Line> | undefined {
    if (this.#line !== undefined && inodeOf(this.#path) !== this.#inode) this.close()
    const line = this.#line
    this.#line = undefined
    return line
  }

  close(): void {
    this.#line?.then(
      (line) => line.close(),
      () => {},
    )
    this.#line = undefined
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
