import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPasteFilter, pasteStream, visibleBreak } from './paste.ts'

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

describe('bracketed paste', () => {
  it('joins the pasted lines and leaves typed lines alone', () => {
    const filter = createPasteFilter()
    expect(filter(`a\r${paste('one\r\ntwo\nthree\r')}\r`)).toBe(
      `a\rone${visibleBreak}two${visibleBreak}three${visibleBreak}\r`,
    )
  })

  it('gives the same words for every split of the bytes', () => {
    const text = `x${paste('é\n漢\r\n')}y\r`
    const whole = createPasteFilter()(text)
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 6 }), (cuts) => {
        // A terminal never splits the first escape from its bracket.
        fc.pre(!cuts.includes(2))
        const bytes = Buffer.from(text)
        const stream = pasteStream()
        let from = 0
        for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
          stream.write(bytes.subarray(from, to))
          from = to
        }
        let read = ''
        for (let piece = stream.read(); piece !== null; piece = stream.read()) read += String(piece)
        // A CRLF that is split may become two breaks; the words stay the same.
        const words = (value: string) => value.split(visibleBreak).filter(Boolean)
        expect(words(read)).toEqual(words(whole))
      }),
    )
  })

  it('passes a lone escape key on at once', () => {
    expect(createPasteFilter()('\u001b')).toBe('\u001b')
  })
})
