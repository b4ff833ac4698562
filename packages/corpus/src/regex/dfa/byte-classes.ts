// Bytes that no state of an automaton tells apart, as one class: rows are that much shorter.
import { stretchOf } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'

export interface ByteClasses {
  count: number
  /** Class of each byte; those of ASCII come first. */
  of: Uint8Array
  /** One byte of each class. */
  sample: readonly number[]
}

/** First bytes of stretches that UTF-8 treats alike beyond ASCII. */
const stretches = [0x80, 0x90, 0xa0, 0xc0, 0xc2, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5]

export function byteClasses(chars: CharClasses): ByteClasses {
  const of = new Uint8Array(256)
  const sample: number[] = []
  const known = new Map<string, number>()
  // Where all characters beyond ASCII are of one class, only how long they are matters.
  const isPlain = stretchOf(chars.starts, 0x80) === chars.starts.length - 1
  for (let byte = 0; byte < 256; byte++) {
    const key = byte < 0x80 ? asciiKey(chars, byte) : beyondKey(byte, isPlain)
    let own = known.get(key)
    if (own === undefined) {
      own = sample.push(byte) - 1
      known.set(key, own)
    }
    of[byte] = own
  }
  return { count: sample.length, of, sample }
}

/** Line ends are classes of their own. */
function asciiKey(chars: CharClasses, byte: number): string {
  if (byte === 0x0a || byte === 0x0d) return `end ${byte}`
  return `char ${chars.classes[stretchOf(chars.starts, byte)]}`
}

function beyondKey(byte: number, isPlain: boolean): string {
  if (!isPlain) return `byte ${byte}`
  return `stretch ${stretches.findLast((first) => first <= byte)}`
}
