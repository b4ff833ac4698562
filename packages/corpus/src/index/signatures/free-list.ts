// Free list of content memory in size classes, four per power of two.

export interface Extent {
  address: number
  bytes: number
}

export class FreeList {
  readonly #bySize = new Map<number, Extent[]>()

  take(bytes: number): Extent | undefined {
    return this.#bySize.get(roundUp(bytes))?.pop()
  }

  give(room: Extent): void {
    const size = roundDown(room.bytes)
    const rooms = this.#bySize.get(size)
    if (rooms === undefined) this.#bySize.set(size, [room])
    else rooms.push(room)
  }
}

/** Rounds up to a size class, so that the extent can be reused for texts of similar size. */
export function roundUp(bytes: number): number {
  const step = stepOf(bytes)
  return Math.ceil(bytes / step) * step
}

function roundDown(bytes: number): number {
  const step = stepOf(bytes)
  return Math.floor(bytes / step) * step
}

function stepOf(bytes: number): number {
  return 2 ** (Math.max(6, 31 - Math.clz32(bytes)) - 2)
}
