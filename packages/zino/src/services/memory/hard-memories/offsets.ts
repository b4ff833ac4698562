// Byte offsets of the hard memories in their file: texts stay on disk and are read on demand.
import { withCapacity } from '../search/search.ts'

/** Bytes before an element: comma or opening bracket, line break, two spaces. */
const separatorBytes = 4

export class HardMemoryOffsets {
  #starts = new Float64Array(0)
  #forgotten = new Uint8Array(0)
  #found = new Uint8Array(0)
  #foundCount = 0
  /** When each memory was stored, and when another one replaced it, in milliseconds. */
  #times = new Float64Array(0)
  readonly #replaced = new Map<number, { by: number; atMs: number }>()
  /** The version that each version replaced. */
  readonly #replaces = new Map<number, number>()
  #count = 0
  #forgottenCount = 0
  /** End of the last element. */
  #end = 0

  /** Number of entries, including forgotten ones. */
  get count(): number {
    return this.#count
  }

  get forgottenCount(): number {
    return this.#forgottenCount
  }

  /** Number of memories, not forgotten, that a search has returned. */
  get foundCount(): number {
    return this.#foundCount
  }

  /** Offset of the next element to be appended. */
  get nextStart(): number {
    return this.#count === 0 ? separatorBytes : this.#end + separatorBytes
  }

  add(start: number, isForgotten: boolean, timeMs = Number.NaN, replaces?: number): void {
    this.#times = withCapacity(this.#times, this.#count + 1)
    this.#times[this.#count] = timeMs
    if (replaces !== undefined && replaces < this.#count && !isForgotten) {
      // Several versions of a file may replace the same one: they form one chain.
      const earlier = this.newest(replaces)
      this.#replaced.set(earlier, { by: this.#count, atMs: timeMs })
      this.#replaces.set(this.#count, earlier)
    }
    this.#starts = withCapacity(this.#starts, this.#count + 1)
    this.#forgotten = withCapacity(this.#forgotten, this.#count + 1)
    this.#starts[this.#count] = start
    this.#count += 1
    if (isForgotten) this.forget(this.#count - 1)
  }

  /** Memories of earlier versions have no time: they are as old as the next one, or as the file. */
  fillTimes(fileMs: number): void {
    let laterMs = fileMs
    for (let id = this.#count - 1; id >= 0; id -= 1) {
      const timeMs = this.#times[id] as number
      if (Number.isNaN(timeMs)) this.#times[id] = laterMs
      else laterMs = timeMs
    }
  }

  /** Must be called after the last `add`. */
  setEnd(end: number): void {
    this.#end = end
  }

  forget(id: number): void {
    if (this.#forgotten[id] === 1) return
    this.#forgotten[id] = 1
    this.#forgottenCount += 1
    if (this.#found[id] === 1) this.#foundCount -= 1
  }

  markFound(id: number): void {
    this.#found = withCapacity(this.#found, this.#count)
    if (this.#found[id] === 1) return
    this.#found[id] = 1
    this.#foundCount += 1
  }

  timeOf(id: number): number {
    return this.#times[id] as number
  }

  /** The newest version of a memory. */
  newest(id: number): number {
    let newest = id
    for (let next = this.#replaced.get(newest); next !== undefined && this.has(next.by);) {
      newest = next.by
      next = this.#replaced.get(newest)
    }
    return newest
  }

  /** All versions of a memory that are not forgotten, newest first. */
  versions(id: number): number[] {
    const versions: number[] = []
    for (let at: number | undefined = this.newest(id); at !== undefined;) {
      if (this.has(at)) versions.push(at)
      at = this.#replaces.get(at)
    }
    return versions
  }

  /** Whether the memory was the current version at this time; now by default. */
  isCurrent(id: number, atMs = Infinity): boolean {
    if (this.timeOf(id) > atMs) return false
    const replacement = this.#replaced.get(id)
    return replacement === undefined || replacement.atMs > atMs || !this.has(replacement.by)
  }

  has(id: number): boolean {
    return id >= 0 && id < this.#count && this.#forgotten[id] === 0
  }

  startOf(id: number): number {
    return this.#starts[id] as number
  }

  endOf(id: number): number {
    return id + 1 < this.#count ? this.startOf(id + 1) - separatorBytes : this.#end
  }

  /** The id of the element that starts at this offset, or -1. */
  idAt(start: number): number {
    return this.#starts.subarray(0, this.#count).lastIndexOf(start)
  }
}
