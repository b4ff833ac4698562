// Memory that contents have left, by size: four sizes to a doubling.

export interface Room {
  address: number
  bytes: number
}

export class FreeList {
  readonly #bySize = new Map<number, Room[]>()

  /** A room for at least so many bytes. */
  take(bytes: number): Room | undefined {
    return this.#bySize.get(roundedRoom(bytes))?.pop()
  }

  give(room: Room): void {
    const size = roundedDown(room.bytes)
    const rooms = this.#bySize.get(size)
    if (rooms === undefined) this.#bySize.set(size, [room])
    else rooms.push(room)
  }
}

/** What is best asked for, so that the room can be used again for texts of about this size. */
export function roundedRoom(bytes: number): number {
  const step = stepOf(bytes)
  return Math.ceil(bytes / step) * step
}

function roundedDown(bytes: number): number {
  const step = stepOf(bytes)
  return Math.floor(bytes / step) * step
}

function stepOf(bytes: number): number {
  return 2 ** (Math.max(6, 31 - Math.clz32(bytes)) - 2)
}
