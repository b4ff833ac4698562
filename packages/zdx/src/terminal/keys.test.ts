import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Key } from './keys.ts'
import { KeyDecoder } from './keys.ts'

function decode(...chunks: (string | Uint8Array)[]): Key[] {
  const keys: Key[] = []
  const decoder = new KeyDecoder((key) => keys.push(key))
  for (const chunk of chunks) decoder.write(chunk)
  return keys
}

const key = (name: string): Key => ({ type: 'key', name })
const text = (typed: string): Key => ({ type: 'text', text: typed })

describe('KeyDecoder', () => {
  it.each<[string, Key[]]>([
    ['hi\r', [text('hi'), key('enter')]],
    ['\u001b\r', [key('alt+enter')]],
    ['\u001b\n', [key('alt+enter')]],
    ['\u001b[13;2u', [key('alt+enter')]],
    ['\u001b[A\u001bOB', [key('up'), key('down')]],
    ['\u0001\u0012\u001a', [key('ctrl+a'), key('ctrl+r'), key('ctrl+z')]],
    ['\u001bb\u001b[1;5C', [key('alt+b'), key('alt+f')]],
    ['\t\u007f\b', [key('tab'), key('backspace'), key('backspace')]],
    ['\u001b[12;40R', []],
    [
      'a\u001b[200~one\r\ntwo\u0003\u001b[201~b',
      [text('a'), { type: 'paste', text: 'one\ntwo\u0003' }, text('b')],
    ],
  ])('decodes %j', (bytes, keys) => {
    expect(decode(bytes)).toEqual(keys)
  })

  it('decodes a paste and a wide character for every split of their bytes', () => {
    const bytes = Buffer.from('ü\u001b[200~x\u001b[20y\n😀\u001b[201~\u001b[C')
    fc.assert(
      fc.property(fc.nat(bytes.length), (cut) => {
        // A lone escape at the end of a chunk is completed by the next chunk.
        const keys = decode(bytes.subarray(0, cut), bytes.subarray(cut))
        expect(keys).toEqual([text('ü'), { type: 'paste', text: 'x\u001b[20y\n😀' }, key('right')])
      }),
    )
  })

  it('takes a lone escape for the Esc key when nothing follows', async () => {
    const keys: Key[] = []
    await new Promise<void>((resolve) => {
      const decoder = new KeyDecoder((each) => {
        keys.push(each)
        resolve()
      })
      decoder.write('\u001b')
    })
    expect(keys).toEqual([key('escape')])
  })
})
