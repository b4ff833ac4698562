// Links that lead straight to a file of the tree: as long as nothing in the tree changes they need not be
// followed again. All others are looked at for every request.
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { nameText, resolveContained } from '@zee/core/contained-path'
import type { CorpusRoot } from '../root.ts'
import { systemPath } from './checked-file.ts'
import { FileFlag, FileKind, NOWHERE } from './file-table.ts'
import { placeOfName } from './folder.ts'
import type { FolderTree } from './folder-tree.ts'

export class LinkTargets {
  readonly #root: CorpusRoot
  readonly #tree: FolderTree
  /** Link to file, both by number. */
  readonly known = new Map<number, number>()
  #version = -1

  constructor(root: CorpusRoot, tree: FolderTree) {
    this.#root = root
    this.#tree = tree
  }

  /** Makes what is known of links that of their files; `onChange` hears of each. */
  update(onChange: (id: number) => void): void {
    const tree = this.#tree
    const changed = tree.version !== this.#version
    if (changed) this.known.clear()
    for (const id of tree.links) {
      if (this.known.has(id)) continue
      tree.updateLink(id)
      if (!changed || tree.table.has(id, FileFlag.toFolder)) continue
      const target = this.#target(tree.table.path(id))
      if (target === undefined) tree.table.forget(id)
      else this.#copy(target, id)
      onChange(id)
    }
    this.#version = tree.version
  }

  #copy(target: number, id: number): void {
    const { table } = this.#tree
    table.flags[id] = table.flags[target] as number
    table.sizes[id] = table.sizes[target] as number
    table.chars[id] = table.chars[target] as number
    table.contents[id] = table.contents[target] as number
    table.lengths[id] = table.lengths[target] as number
    table.blocks[id] = NOWHERE
    this.known.set(id, target)
  }

  /** The known file that a link leads to in one step, by a way inside the root. */
  #target(link: string): number | undefined {
    try {
      const text = nameText(readlinkSync(systemPath(this.#root.folder, link), 'buffer'))
      const { prefix } = this.#root.folder
      const way = text.startsWith('/')
        ? text
        : prefix + path.posix.join(path.posix.dirname(link), text)
      if (path.posix.normalize(way) !== way || !way.startsWith(prefix)) return undefined
      const resolved = resolveContained(this.#root.folder, link)
      if (resolved.failure !== undefined || prefix + resolved.path !== way) return undefined
      return this.#fileAt(resolved.path)
    } catch {
      return undefined
    }
  }

  #fileAt(file: string): number | undefined {
    const parts = file.split('/')
    let folder = this.#tree.top
    for (const part of parts.slice(0, -1)) {
      const at = placeOfName(folder.names ?? [], `${part}/`)
      const value = folder.values[at]
      if (at < 0 || value === undefined || typeof value === 'number') return undefined
      folder = value
    }
    const at = placeOfName(folder.names ?? [], parts.at(-1) as string)
    const value = folder.values[at]
    const { table } = this.#tree
    if (at < 0 || typeof value !== 'number' || table.kinds[value] !== FileKind.file)
      return undefined
    return table.has(value, FileFlag.known) ? value : undefined
  }
}
