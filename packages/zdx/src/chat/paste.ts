// Keeps pasted lines together. A terminal marks the beginning and the end of a paste; line breaks in
// between become one visible character, so that the editor does not take them for Enter.
import { StringDecoder } from 'node:string_decoder'
import { Transform } from 'node:stream'

/** Stands for a line break inside a pasted text while it is being edited. */
export const visibleBreak = '\u2424'

const start = '\u001b[200~'
const end = '\u001b[201~'

/** Text in pieces cut anywhere; marks and characters may be split between them. */
export function createPasteFilter(): (text: string) => string {
  let pasting = false
  let held = ''
  return (text) => {
    const whole = held + text
    held = partialMark(whole, pasting)
    const ready = held === '' ? whole : whole.slice(0, -held.length)
    let result = ''
    for (const piece of ready.split(/(\u001b\[20[01]~)/)) {
      if (piece === start) pasting = true
      else if (piece === end) pasting = false
      else result += pasting ? piece.replace(/\r\n?|\n/g, visibleBreak) : piece
    }
    return result
  }
}

/** The filter as a stream between a terminal and its editor. */
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
 * What a text ends with that may become a mark. Outside of a paste a lone escape is a key and is not
 * held back; terminals send the mark that begins a paste in one piece.
 */
function partialMark(text: string, pasting: boolean): string {
  // The text may hold the end of one paste and the beginning of another.
  const last = Math.max(text.lastIndexOf(start), text.lastIndexOf(end))
  const isInside = last === -1 ? pasting : text.startsWith(start, last)
  const least = isInside ? 1 : 2
  for (let length = Math.min(start.length - 1, text.length); length >= least; length--) {
    const tail = text.slice(-length)
    if (start.startsWith(tail) || end.startsWith(tail)) return tail
  }
  return ''
}
