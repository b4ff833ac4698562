// The refs of a repository: loose files, packed refs, and the logs of earlier values.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readText } from '../layout.ts'
import type { RepositoryLayout } from '../layout.ts'

export { Replacements } from './replacements.ts'
export { resolveCommit } from './revision.ts'

/** Where git looks for a short name, in this order. */
const places = [
  ...['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map((prefix) => [prefix, '']),
  ['refs/remotes/', '/HEAD'],
] as const

const maxLinks = 5

export interface FoundRef {
  /** The full name, after links such as HEAD were followed. */
  ref: string
  object: string
}

interface PackedRefs {
  stamp: string
  refs: Map<string, string>
  /** New objects by the object that they replace. */
  replacements: [string, string][]
}

const replacePrefix = 'refs/replace/'

export class Refs {
  readonly #layout: RepositoryLayout
  #packed: PackedRefs | undefined

  constructor(layout: RepositoryLayout) {
    this.#layout = layout
  }

  /** The object of a short or full name; undefined if there is no such ref. */
  find(name: string): FoundRef | undefined {
    for (const [prefix, suffix] of places) {
      const full = prefix + name + suffix
      const found = isRefName(full) ? this.read(full) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The object of a full name. */
  read(ref: string): FoundRef | undefined {
    let name = ref
    for (let count = 0; count <= maxLinks; count++) {
      const value = (this.#readLoose(name) ?? this.#readPacked(name))?.trim()
      if (value === undefined) return undefined
      const [, target] = /^ref:\s*(\S.*)$/.exec(value) ?? []
      if (target === undefined) {
        const object = /^[0-9a-f]+/.exec(value)?.[0]
        return object === undefined ? undefined : { ref: name, object }
      }
      if (!isRefName(target)) return undefined
      name = target
    }
    return undefined
  }

  /** The branch that HEAD names, also one without commits; undefined for a detached HEAD. */
  headBranch(): string | undefined {
    return /^ref:\s*(refs\/heads\/\S+)\s*$/.exec(this.#readLoose('HEAD') ?? '')?.[1]
  }

  /** Lines of the log of a ref, oldest first. */
  log(ref: string): string[] {
    const text = readText(path.join(this.#folderOf(ref), 'logs', ref)) ?? ''
    return text.split('\n').filter((line) => line !== '')
  }

  /** New objects by the object that they replace. */
  replacements(): Map<string, string> {
    const found = new Map(this.#packedRefs().replacements)
    for (const name of namesIn(path.join(this.#layout.commonFolder, replacePrefix))) {
      const object = this.read(replacePrefix + name)?.object
      if (object !== undefined) found.set(name, object)
    }
    return found
  }

  #folderOf(ref: string): string {
    const isOwn = !ref.startsWith('refs/') || /^refs\/(?:bisect|worktree|rewritten)\//.test(ref)
    return isOwn ? this.#layout.gitFolder : this.#layout.commonFolder
  }

  #readLoose(ref: string): string | undefined {
    return readText(path.join(this.#folderOf(ref), ref))
  }

  #readPacked(ref: string): string | undefined {
    return ref.startsWith('refs/') ? this.#packedRefs().refs.get(ref) : undefined
  }

  #packedRefs(): PackedRefs {
    const file = path.join(this.#layout.commonFolder, 'packed-refs')
    const stamp = stampOf(file)
    if (this.#packed?.stamp === stamp) return this.#packed
    const text = readText(file) ?? ''
    const refs = new Map<string, string>()
    for (const line of text.split('\n')) {
      const [, object, name] = /^([0-9a-f]+) (\S.*)$/.exec(line) ?? []
      if (object !== undefined && name !== undefined) refs.set(name, object)
    }
    const replacements = [...refs]
      .filter(([name]) => name.startsWith(replacePrefix))
      .map(([name, object]): [string, string] => [name.slice(replacePrefix.length), object])
    this.#packed = { stamp, refs, replacements }
    return this.#packed
  }
}

/** Empty if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Git replaces the file by a rename and detects a change in the same way. Empty if there is no file. */
function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
}

/** Names that git allows: they cannot lead out of the folder of refs. */
function isRefName(name: string): boolean {
  if (!name.startsWith('refs/')) return /^(?:[A-Z]+_)*(?:HEAD|[A-Z]+)$/.test(name)
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000- ~^:?*[\\\u007f]|\.\.|@\{|\/\/|\/$|\.$/.test(name)) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
