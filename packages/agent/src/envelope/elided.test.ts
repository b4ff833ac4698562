import { describe, expect, it } from 'vitest'
import { elidedLine, isElidedLine } from './elided.ts'

const output = { ok: true as const, data: {} }
/** What the line says about a call, and the size of its result. */
const shown = (input: Readonly<Record<string, unknown>>) =>
  /\((.*)\)\. Use/.exec(elidedLine({ event: 7, tool: 't', input, output }))?.[1]

describe('the line of an elided result', () => {
  it('names event, tool, object and size', () => {
    const line = elidedLine({ event: 12, tool: 'a\nb', input: { command: 'npm test' }, output })
    expect(line).toBe(
      '[elided: result of event 12 (a b "npm test", 21 B). Use recall with event 12.]',
    )
    expect(isElidedLine(line)).toBe(true)
    expect(isElidedLine('{"ok":true}')).toBe(false)
  })

  it.each<[input: Record<string, unknown>, object: string]>([
    [{ path: 'p', command: 'c', pattern: 'x' }, ' "c"'],
    [{ pattern: 'x', path: 'p' }, ' "p"'],
    [{ other: 'o', pattern: 'x' }, ' "x"'],
    [{ command: 1, number: 2, other: 'o' }, ' "o"'],
    [{ event: 5 }, ' "5"'],
    [{ number: 2 }, ''],
    [{}, ''],
    [{ command: '' }, ' ""'],
    [{ command: ' \n one \n two' }, ' "one"'],
    [{ command: 'x'.repeat(80) }, ` "${'x'.repeat(80)}"`],
    [{ command: '😀'.repeat(81) }, ` "${'😀'.repeat(80)}…"`],
  ])('shows of the input %j the object %s', (input, object) => {
    expect(shown(input)).toBe(`t${object}, 21 B`)
  })

  it.each([
    [1023, '1023 B'],
    [1024, '1 KB'],
    [1535, '1 KB'],
    [1536, '2 KB'],
  ])('shows a result of %i bytes as %s', (bytes, size) => {
    const text = 'x'.repeat(bytes - JSON.stringify({ ok: true, data: { text: '' } }).length)
    const line = elidedLine({
      event: 1,
      tool: 't',
      input: {},
      output: { ok: true, data: { text } },
    })
    expect(line).toContain(`(t, ${size})`)
  })
})
