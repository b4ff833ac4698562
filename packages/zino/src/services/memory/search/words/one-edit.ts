// The words that differ from a word by one edit: a letter added, dropped or changed, or two swapped.
// They are generated and looked up, so the cost does not depend on the number of indexed words: some
// 600 lookups for a word of 8 letters.
import type { OnWord } from './word-bytes.ts'
import { emitBytes, maxWordBytes } from './word-bytes.ts'

const scratch = new Uint8Array(2 * maxWordBytes)

/** Emits every such word; added letters are those of `alphabet`. Some words are emitted twice. */
export function eachOneEdit(word: string, alphabet: readonly Uint8Array[], onWord: OnWord): void {
  const letters = [...word].map((letter) => Buffer.from(letter))
  const emit = (from: number, inserted: readonly Uint8Array[], to: number) => {
    let length = 0
    const add = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += 1) scratch[length + at] = bytes[at] as number
      length += bytes.length
    }
    for (let at = 0; at < from; at += 1) add(letters[at] as Uint8Array)
    for (const bytes of inserted) add(bytes)
    for (let at = to; at < letters.length; at += 1) add(letters[at] as Uint8Array)
    if (length > 0 && length <= maxWordBytes) emitBytes(scratch, length, onWord)
  }
  const changed: Uint8Array[] = [scratch]
  for (let at = 0; at <= letters.length; at += 1) {
    const [one, two] = [letters[at], letters[at + 1]]
    if (one !== undefined) emit(at, [], at + 1)
    if (one !== undefined && two !== undefined && !one.equals(two)) emit(at, [two, one], at + 2)
    for (const letter of alphabet) {
      changed[0] = letter
      emit(at, changed, at)
      if (one !== undefined && !one.equals(letter)) emit(at, changed, at + 1)
    }
  }
}
