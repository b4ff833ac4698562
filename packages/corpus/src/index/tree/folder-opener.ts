// Opens files of the tree below verified folders. The last folder stays open, because the next file is usually
// in it.
import { closeSync } from 'node:fs'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFileBelow, openFolderAt } from '@zee/core/contained-path-below'
import type { CorpusRoot } from '../../root/root.ts'
import { folderPath } from '../folder.ts'
import type { Folder } from '../folder.ts'

export class FolderOpener {
  readonly #root: CorpusRoot
  #last: { folder: Folder; opened: ContainedFolder | undefined } | undefined

  constructor(root: CorpusRoot) {
    this.#root = root
  }

  folder(folder: Folder): ContainedFolder | undefined {
    if (this.#last?.folder !== folder) {
      this.close()
      this.#last = { folder, opened: openFolderAt(this.#root.folder, folderPath(folder)) }
    }
    return this.#last?.opened
  }

  /** Returns a descriptor that the caller must close, or -1. */
  file(folder: Folder, name: string): number {
    const opened = this.folder(folder)
    return opened === undefined ? -1 : openFileBelow(opened, name)
  }

  close(): void {
    if (this.#last?.opened !== undefined) closeSync(this.#last.opened.fd)
    this.#last = undefined
  }
}
