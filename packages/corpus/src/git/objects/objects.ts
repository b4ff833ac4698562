// The object database of a repository: loose objects and packs, in its own folder and in its alternates. New packs
// and objects are found when a name is looked up that is not known yet.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { gitError } from '../failure.ts'
import { ByteCache } from './byte-cache.ts'
import { inflated, maxObjectBytes, Pack } from './pack.ts'

export { ByteCache } from './byte-cache.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface GitObject {
  type: ObjectType
  bytes: Buffer
}

/** Results of deltas, which are often the base of the next one. */
const deltaCacheBytes = 32 << 20

export interface ObjectsOptions {
  folders: readonly string[]
  nameBytes: number
  /** Objects may be absent, because a remote promises them. */
  isPartial: boolean
}

export class Objects {
  readonly #options: ObjectsOptions
  readonly #cache = new ByteCache<GitObject>(deltaCacheBytes)
  #packs = new Map<string, Pack>()
  #isScanned = false

  constructor(options: ObjectsOptions) {
    this.#options = options
  }

  close(): void {
    for (const pack of this.#packs.values()) pack.close()
    this.#packs.clear()
    this.#isScanned = false
  }

  /** Reads an object by its full name. Throws a ZeeError if it is absent or damaged. */
  read(name: string): GitObject {
    const found = this.find(name)
    if (found !== undefined) return found
    const hint = this.#options.isPartial
      ? ': this is a partial clone, fetch the object with git first'
      : ''
    throw gitError(`the object ${name} is not in the repository${hint}`)
  }

  /** Reads an object of a type. */
  readAs(name: string, type: ObjectType): Buffer {
    const object = this.read(name)
    if (object.type === type) return object.bytes
    throw gitError(`the object ${name} is a ${object.type}, not a ${type}`)
  }

  find(name: string): GitObject | undefined {
    if (!this.#isScanned) this.#scan()
    const key = Buffer.from(name, 'hex')
    const found = this.#inPacks(key) ?? this.#loose(name)
    if (found !== undefined) return found
    // Git may have packed the object, or fetched a pack, since the last scan.
    return this.#scan() ? (this.#inPacks(key) ?? this.#loose(name)) : undefined
  }

  /** Full names that start with a prefix of at least four digits; at most two. */
  matches(prefix: string): string[] {
    this.#scan()
    const found = new Set<string>()
    for (const pack of this.#packs.values()) pack.addMatches(prefix, found, 3)
    const rest = prefix.slice(2)
    for (const folder of this.#options.folders) {
      for (const name of namesIn(path.join(folder, prefix.slice(0, 2)))) {
        if (name.startsWith(rest) && /^[0-9a-f]+$/.test(name)) found.add(prefix.slice(0, 2) + name)
      }
    }
    const digits = this.#options.nameBytes * 2
    return [...found].filter((name) => name.length === digits).slice(0, 16)
  }

  #inPacks(name: Buffer): GitObject | undefined {
    for (const pack of this.#packs.values()) {
      const offset = pack.find(name)
      if (offset === undefined) continue
      try {
        return pack.read(offset, (base) => this.read(base))
      } catch (error) {
        // `git gc` deletes a pack after it wrote a new one, which the next scan finds.
        if (!isFileError(error)) throw error
      }
    }
    return undefined
  }

  #loose(name: string): GitObject | undefined {
    for (const folder of this.#options.folders) {
      let data: Buffer
      try {
        const file = path.join(folder, name.slice(0, 2), name.slice(2))
        data = readBoundedFile(file, { maxBytes: maxObjectBytes })
      } catch {
        continue
      }
      const object = parseLoose(data)
      if (object === undefined) throw gitError(`the object ${name} is damaged`)
      return object
    }
    return undefined
  }

  /** Opens packs that are new; true if there were any. */
  #scan(): boolean {
    this.#isScanned = true
    const packs = new Map<string, Pack>()
    let hasNew = false
    for (const folder of this.#options.folders) {
      for (const name of namesIn(path.join(folder, 'pack'))) {
        if (!name.endsWith('.idx')) continue
        const file = path.join(folder, 'pack', name.slice(0, -4))
        const known = this.#packs.get(file)
        const pack = known ?? this.#open(file)
        if (pack === undefined) continue
        hasNew ||= known === undefined
        packs.set(file, pack)
      }
    }
    for (const [file, pack] of this.#packs) if (!packs.has(file)) pack.close()
    this.#packs = packs
    return hasNew
  }

  /** A pack may disappear between the listing and the open. */
  #open(file: string): Pack | undefined {
    try {
      return new Pack(file, this.#options.nameBytes, this.#cache)
    } catch (error) {
      if (isFileError(error)) return undefined
      throw error
    }
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function parseLoose(data: Buffer): GitObject | undefined {
  const bytes = inflated(data, maxObjectBytes)
  const end = bytes?.subarray(0, 64).indexOf(0) ?? -1
  if (bytes === undefined || end === -1) return undefined
  const [, type, size] =
    /^(commit|tree|blob|tag) (\d+)$/.exec(bytes.toString('latin1', 0, end)) ?? []
  const content = bytes.subarray(end + 1)
  return Number(size) === content.length ? { type: type as ObjectType, bytes: content } : undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
