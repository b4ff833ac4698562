// Groups bytes that lead every state to the same next state into classes, which shortens the rows.
import { intervalIndex } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'

export interface ByteClasses {
  count: number
  /** Class of each byte. ASCII classes come first. */
  classOf: Uint8Array
  /** One byte of each class. */
  samples: readonly number[]
}

/** First bytes of the ranges beyond ASCII that UTF-8 decoding treats alike. */
const utf8Boundaries = [
  0x80, 0x90, 0xa0, 0xc0, 0xc2, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5,
]

export function byteClasses(chars: CharClasses): ByteClasses {
  const classOf = new Uint8Array(256)
  const samples: number[] = []
  const classByKey = new Map<string, number>()
  // If all characters beyond ASCII share a class, only their encoded length matters.
  const isUniform = intervalIndex(chars.starts, 0x80) === chars.starts.length - 1
  for (let byte = 0; byte < 256; byte++) {
    const key = byte < 0x80 ? asciiKey(chars, byte) : nonAsciiKey(byte, isUniform)
    let byteClass = classByKey.get(key)
    if (byteClass === undefined) {
      byteClass = samples.push(byte) - 1
      classByKey.set(key, byteClass)
    }
    classOf[byte] = byteClass
  }
  return { count: samples.length, classOf, samples }
}

/** Each line end byte has its own class. */
function asciiKey(chars: CharClasses, byte: number): string {
  if (byte === 0x0a || byte === 0x0d) return `end ${byte}`
  return `char ${chars.classes[intervalIndex(chars.starts, byte)]}`
}

function nonAsciiKey(byte: number, isUniform: boolean): string {
  if (!isUniform) return `byte ${byte}`
  return `utf8 ${utf8Boundaries.findLast((first) => first <= byte)}`
}
