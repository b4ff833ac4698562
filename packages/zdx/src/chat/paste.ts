// Bracketed paste: the terminal marks start and end of a paste. Line breaks inside become one visible
// character, because readline would take them for Enter.
import { StringDecoder } from 'node:string_decoder'
import { Transform } from 'node:stream'

/** Stands for a line break of a pasted text in the line editor. */
export const visibleBreak = '\u2424'

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/** A stateful filter; a mark may be split between two calls. */
export function createPasteFilter(): (text: string) => string {
  let pasting = false
  let pending = ''
  return (text) => {
    const input = pending + text
    pending = partialMark(input, pasting)
    const ready = pending === '' ? input : input.slice(0, -pending.length)
    let result = ''
    for (const piece of ready.split(/(\u001b\[20[01]~)/)) {
      if (piece === pasteStart) pasting = true
      else if (piece === pasteEnd) pasting = false
      else result += pasting ? piece.replace(/\r\n?|\n/g, visibleBreak) : piece
    }
    return result
  }
}

/** The filter as a stream between the terminal and readline. */
export function pasteStream(): Transform {
  const decoder = new StringDecoder('utf8')
  const filter = createPasteFilter()
  return new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk: Buffer | string, _encoding, done) {
      done(null, filter(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
    },
  })
}

/**
 * The end of `text` that may be an incomplete mark. Outside a paste a lone escape is the Esc key and
 * passes; terminals send the start mark in one write.
 */
function partialMark(text: string, pasting: boolean): string {
  // One chunk may hold the end of one paste and the start of the next.
  const last = Math.max(text.lastIndexOf(pasteStart), text.lastIndexOf(pasteEnd))
  const isInside = last === -1 ? pasting : text.startsWith(pasteStart, last)
  const minLength = isInside ? 1 : 2
  for (let length = Math.min(pasteStart.length - 1, text.length); length >= minLength; length--) {
    const tail = text.slice(-length)
    if (pasteStart.startsWith(tail) || pasteEnd.startsWith(tail)) return tail
  }
  return ''
}
