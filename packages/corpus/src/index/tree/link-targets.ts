// Caches the targets of symbolic links that lead directly to a file or folder of the tree. The cache is valid
// until the tree changes. All other links are resolved for every request.
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { nameText, resolveContained } from '@zee/core/contained-path'
import { denyingRule } from '../../deny/deny.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { systemPath } from '../checked-file.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import { findName } from '../folder.ts'
import type { Folder } from '../folder.ts'
import type { FolderTree } from './tree.ts'

export class LinkTargets {
  readonly #root: CorpusRoot
  readonly #tree: FolderTree
  /** File id by link id. */
  readonly targets = new Map<number, number>()
  readonly #toFolders = new Set<number>()
  #version = -1

  constructor(root: CorpusRoot, tree: FolderTree) {
    this.#root = root
    this.#tree = tree
  }

  /** Copies the state of target files to their links, and calls `onChange` for each. */
  update(onChange: (id: number) => void): void {
    const tree = this.#tree
    const changed = tree.version !== this.#version
    if (changed) this.#forget()
    for (const id of tree.links) {
      if (this.targets.has(id) || this.#toFolders.has(id)) continue
      tree.updateLink(id)
      if (!changed) continue
      const link = tree.table.path(id)
      const target = this.#target(link)
      if (tree.table.has(id, FileFlag.toFolder)) {
        if (typeof target === 'object') this.#toFolders.add(id)
        continue
      }
      const isReadable = denyingRule(this.#root.deny, link) === undefined
      if (isReadable && typeof target === 'number') this.#copy(target, id)
      else tree.table.forget(id)
      onChange(id)
    }
    this.#version = tree.version
  }

  #forget(): void {
    this.targets.clear()
    this.#toFolders.clear()
  }

  #copy(target: number, id: number): void {
    const { table } = this.#tree
    table.flags[id] = table.flags[target] as number
    table.sizes[id] = table.sizes[target] as number
    table.chars[id] = table.chars[target] as number
    table.contents[id] = table.contents[target] as number
    table.lengths[id] = table.lengths[target] as number
    table.blocks[id] = nowhere
    this.targets.set(id, target)
  }

  /** The folder or indexed file that a link names directly, by a path inside the root. */
  #target(link: string): Folder | number | undefined {
    try {
      const text = nameText(readlinkSync(systemPath(this.#root.folder, link), 'buffer'))
      const { prefix } = this.#root.folder
      const way = text.startsWith('/')
        ? text
        : prefix + path.posix.join(path.posix.dirname(link), text)
      if (path.posix.normalize(way) !== way || !way.startsWith(prefix)) return undefined
      const resolved = resolveContained(this.#root.folder, link)
      if (resolved.failure !== undefined || prefix + resolved.path !== way) return undefined
      return this.#valueAt(resolved.path)
    } catch {
      return undefined
    }
  }

  #valueAt(way: string): Folder | number | undefined {
    const parts = way.split('/')
    let folder = this.#tree.top
    for (const part of parts.slice(0, -1)) {
      const inner = folderIn(folder, part)
      if (inner === undefined) return undefined
      folder = inner
    }
    const name = parts.at(-1) as string
    const id = folder.values[findName(folder.names ?? [], name)]
    if (typeof id !== 'number') return folderIn(folder, name)
    const { table } = this.#tree
    return table.kinds[id] === FileKind.file && table.has(id, FileFlag.known) ? id : undefined
  }
}

function folderIn(folder: Folder, name: string): Folder | undefined {
  const value = folder.values[findName(folder.names ?? [], `${name}/`)]
  return typeof value === 'object' ? value : undefined
}
