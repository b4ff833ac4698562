import { describe, expect, it } from 'vitest'
import { coloursFor, terminalSafeText, wantsColour, withoutControls } from './colour.ts'

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
    [{ isTTY: true }, { FORCE_COLOR: 'false' }, false],
    [{ isTTY: true }, { FORCE_COLOR: '' }, true],
    [{ isTTY: false }, { FORCE_COLOR: '' }, false],
    [{ isTTY: false }, { FORCE_COLOR: 'true', TERM: 'dumb' }, true],
    [{ isTTY: false }, { NO_COLOR: '', TERM: 'xterm' }, false],
  ])('for %j with %j is %s', (stream, env, expected) => {
    expect(wantsColour(stream, env)).toBe(expected)
  })

  it('wraps text in escapes if colour is wanted and returns it unchanged otherwise', () => {
    expect(coloursFor({ isTTY: true }, {}).red('x')).toBe('\u001b[31mx\u001b[39m')
    expect(coloursFor({}, {}).red('x')).toBe('x')
    expect(coloursFor({ isTTY: true }, {}).red('')).toBe('')
  })
})

it('every colour and style has its own codes', () => {
  const paint = coloursFor({ isTTY: true }, {})
  const shown = Object.entries(paint).map(([name, colour]) => `${name} ${colour('x')}`)
  expect(shown.map((text) => text.replaceAll('\u001b[', '<').replaceAll('m', '>'))).toEqual([
    ...['bold <1>x<22>', 'di> <2>x<22>', 'italic <3>x<23>', 'underline <4>x<24>'],
    ...['red <31>x<39>', 'green <32>x<39>', 'yellow <33>x<39>', 'blue <34>x<39>'],
    ...['>agenta <35>x<39>', 'cyan <36>x<39>'],
  ])
})

it('text for a terminal has no control characters, text for a pipe is unchanged', () => {
  expect(terminalSafeText({ isTTY: true })('a\u001b[2Jb')).toBe('a[2Jb')
  expect(terminalSafeText({ isTTY: false })('a\u001b[2Jb')).toBe('a\u001b[2Jb')
  expect(terminalSafeText({})('a\u001b[2Jb')).toBe('a\u001b[2Jb')
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
