// Folders opened one below the other while a tree is read for the first time: the way down to the folder read
// last stays open, so that the next one needs one step instead of a verified path of its own.
import { closeSync } from 'node:fs'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFolderAt, openFolderBelow } from '@zee/core/contained-path-below'
import type { CorpusRoot } from '../root.ts'
import { folderPath } from './folder.ts'
import type { Folder } from './folder.ts'

/** Deeper ones are opened by their paths: descriptors are few. */
const MOST_OPEN = 32

export class FolderChain {
  readonly #root: CorpusRoot
  readonly #links: { folder: Folder; opened: ContainedFolder }[] = []

  constructor(root: CorpusRoot) {
    this.#root = root
  }

  /** Opens a folder, which stays open until another is read that does not lie in it. */
  open(folder: Folder): ContainedFolder | undefined {
    while (this.#links.length > 0 && this.#links.at(-1)?.folder !== folder.parent) this.#closeLast()
    const opened = this.#openBelow(folder)
    if (opened !== undefined) this.#links.push({ folder, opened })
    return opened
  }

  close(): void {
    while (this.#links.length > 0) this.#closeLast()
  }

  #openBelow(folder: Folder): ContainedFolder | undefined {
    const parent = this.#links.at(-1)?.opened
    const path = folderPath(folder)
    if (this.#links.length >= MOST_OPEN) this.close()
    else if (parent !== undefined) {
      return openFolderBelow(parent, path, path.slice(path.lastIndexOf('/') + 1))
    }
    return openFolderAt(this.#root.folder, path)
  }

  #closeLast(): void {
    const last = this.#links.pop()
    if (last !== undefined) closeSync(last.opened.fd)
  }
}
