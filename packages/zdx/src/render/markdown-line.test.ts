import type { Colours } from '@zee/core/colour'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { styleLine } from './markdown-line.ts'

const named = Object.fromEntries(
  ['bold', 'dim', 'italic', 'underline', 'red', 'green', 'yellow', 'blue', 'cyan'].map((name) => [
    name,
    (text: string) => `<${name}>${text}</>`,
  ]),
) as unknown as Colours

function style(...lines: string[]): string[] {
  const state = { fence: undefined }
  return lines.map((line) => styleLine(line, state, named))
}

describe('styleLine', () => {
  it.each([
    ['plain', 'plain'],
    ['## Head `x`', '<bold>Head <cyan>x</></>'],
    ['a **b** *c* `d`', 'a <bold>b</> <italic>c</> <cyan>d</>'],
    ['- item', '<yellow>•</> item'],
    ['  2. item', '  <yellow>2.</> item'],
    ['> said', '<dim>│ said</>'],
    ['[zee](http://x/y)', 'zee (<underline>http://x/y</>)'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['1 < 2 && "q"', '1 < 2 && "q"'],
    ['', ''],
  ])('styles %j as %j', (line, styled) => {
    expect(style(line)).toEqual([styled])
  })

  it('styles every line inside a fence as code', () => {
    expect(style('```js', '# no **head**', '``', '```', '# head')).toEqual([
      '<dim>```js</>',
      '<cyan># no **head**</>',
      '<cyan>``</>',
      '<dim>```</>',
      '<bold>head</>',
    ])
  })

  it('never throws and never adds a line break', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const line = text.replaceAll('\n', ' ')
        expect(style(line)[0]).not.toContain('\n')
      }),
    )
  })
})
