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
})
