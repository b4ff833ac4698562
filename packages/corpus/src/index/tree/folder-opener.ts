// Opens files of the tree below folders that were verified; the folder opened last stays open, because the
// next file is mostly in it, too.
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

  /** A descriptor of a file, for the caller to close; -1 when there is none. */
  file(folder: Folder, name: string): number {
    const opened = this.folder(folder)
    return opened === undefined ? -1 : openFileBelow(opened, name)
  }

  close(): void {
    if (this.#last?.opened !== undefined) closeSync(this.#last.opened.fd)
    this.#last = undefined
  }
}
