import { describe, expect, it } from 'vitest'
import { coloursFor, wantsColour, withoutControls } from './colour.ts'

describe('colour', () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: false }, {}, false],
    [{}, {}, false],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { NO_COLOR: '' }, true],
    [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
    [{ isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
  ])('for %j with %j is %s', (stream, env, expected) => {
    expect(wantsColour(stream, env)).toBe(expected)
  })

  it('wraps text in escapes if colour is wanted and returns it unchanged otherwise', () => {
    expect(coloursFor({ isTTY: true }, {}).red('x')).toBe('\u001b[31mx\u001b[39m')
    expect(coloursFor({}, {}).red('x')).toBe('x')
    expect(coloursFor({ isTTY: true }, {}).red('')).toBe('')
  })
})

describe('withoutControls', () => {
  it('removes control characters from external text', () => {
    expect(withoutControls('a\u001b[2Jb\u0007\r\n\tc\u009b1m')).toBe('a[2Jb\n\tc1m')
  })

  it('escapes characters that reorder or hide text', () => {
    const bidi = ['\u202a', '\u202e', '\u2066', '\u2069']
    expect(withoutControls(bidi.join('a'))).toBe(String.raw`\u202aa\u202ea\u2066a\u2069`)
    expect(withoutControls('\u{e0041}\u{e007f}')).toBe(String.raw`\udb40\udc41\udb40\udc7f`)
    expect(withoutControls('\u2029\u202f\u{e0100}😀')).toBe('\u2029\u202f\u{e0100}😀')
  })
})
