// Opens folders by their paths, one after the other in the order of a walk, for a thread that knows nothing else
// of the tree. The way down to the last one stays open: the next needs a step or two from there instead of a
// verified path of its own, which costs four times as much.
import { closeSync } from 'node:fs'
import type { ContainedFolder, ContainedRoot } from '@zee/core/contained-path'
import { openFolderAt, openFolderBelow } from '@zee/core/contained-path-below'

/** Deeper ones are opened by their paths: descriptors are few. */
const MOST_OPEN = 32

export class OpenFolders {
  readonly #root: ContainedRoot
  readonly #line: ContainedFolder[] = []
  #deep: ContainedFolder | undefined

  constructor(root: ContainedRoot) {
    this.#root = root
  }

  /** Stays open until the next one is asked for; undefined when it is not there, or behind a link. */
  open(path: string): ContainedFolder | undefined {
    this.#closeDeep()
    const names = path === '.' ? [] : path.split('/')
    if (!this.#root.hasProc || names.length >= MOST_OPEN) {
      this.#deep = openFolderAt(this.#root, path)
      return this.#deep
    }
    while (this.#line.length > 0 && !this.#leadsTo(path)) this.#closeLast()
    if (this.#line.length === 0 && !this.#push(openFolderAt(this.#root, '.'))) return undefined
    while (this.#line.length <= names.length) {
      const name = names[this.#line.length - 1] as string
      const inner = names.slice(0, this.#line.length).join('/')
      if (!this.#push(openFolderBelow(this.#last, inner, name))) return undefined
    }
    return this.#last
  }

  close(): void {
    this.#closeDeep()
    while (this.#line.length > 0) this.#closeLast()
  }

  get #last(): ContainedFolder {
    return this.#line.at(-1) as ContainedFolder
  }

  #leadsTo(path: string): boolean {
    const { path: last } = this.#last
    return last === '.' || last === path || path.startsWith(`${last}/`)
  }

  #push(folder: ContainedFolder | undefined): boolean {
    if (folder !== undefined) this.#line.push(folder)
    return folder !== undefined
  }

  #closeLast(): void {
    closeSync((this.#line.pop() as ContainedFolder).fd)
  }

  #closeDeep(): void {
    if (this.#deep !== undefined) closeSync(this.#deep.fd)
    this.#deep = undefined
  }
}
