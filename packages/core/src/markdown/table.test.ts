// Tables with box characters, at every width.
import { describe, expect, it } from 'vitest'
import type { Colours } from '../cli/colour.ts'
import { coloursFor } from '../cli/colour.ts'
import { drawTable, isDelimiterRow, isTableRow } from './table.ts'

const named = Object.fromEntries(
  ['bold', 'dim', 'cyan'].map((name) => [name, (text: string) => `<${name}>${text}</>`]),
) as unknown as Colours
const plain = coloursFor({}, {})

function draw(lines: string[], columns: number): string[] | undefined {
  return drawTable(lines, columns, { paint: plain, hasColour: false })
}

it.each([
  ['a | b', true],
  ['|', true],
  ['a', false],
  ['', false],
])('%j is a row of a table: %s', (line, expected) => {
  expect(isTableRow(line)).toBe(expected)
})

it.each([
  ['|-|', true],
  ['|-', true],
  ['-|', true],
  [' | :-: | --: | :- ', true],
  ['-', false],
  ['---', false],
  ['|', false],
  ['|-|x|', false],
  ['', false],
])('%j divides head and body: %s', (line, expected) => {
  expect(isDelimiterRow(line)).toBe(expected)
})

describe('a drawn table', () => {
  it('aligns its cells as the delimiter row says', () => {
    expect(draw(['|a|bb|c|d|', '|:-:|-:|:-|-|', '|wxyz|1|2|3|', '|w|345|6|7|'], 60)).toEqual([
      '┌──────┬─────┬───┬───┐',
      '│  a   │  bb │ c │ d │',
      '├──────┼─────┼───┼───┤',
      '│ wxyz │   1 │ 2 │ 3 │',
      '│  w   │ 345 │ 6 │ 7 │',
      '└──────┴─────┴───┴───┘',
    ])
  })

  it('may be indented, and have empty and missing cells', () => {
    expect(draw(['  | |a|', '  |-|-|', '  ||', '  |x|y|z|'], 60)).toEqual([
      '┌───┬───┐',
      '│   │ a │',
      '├───┼───┤',
      '│   │   │',
      '│ x │ y │',
      '└───┴───┘',
    ])
  })

  it('has dim lines and styled cells', () => {
    const style = { paint: named, hasColour: true }
    expect(drawTable(['|a|b|', '|-|-|', '|1<br/>2<br>3<br />4|`c`|'], 40, style)).toEqual([
      '<dim>┌─────────┬────────────┐</>',
      '<dim>│</> a       <dim>│</> b          <dim>│</>',
      '<dim>├─────────┼────────────┤</>',
      '<dim>│</> 1 2 3 4 <dim>│</> <cyan>c</> <dim>│</>',
      '<dim>└─────────┴────────────┘</>',
    ])
  })

  const wide = ['|aaaaaaaaaa|bbbbbbbbbb|', '|-|-|', '|cccccccccccc|d|']
  it.each<[number, string[]]>([
    [
      29,
      [
        '┌──────────────┬────────────┐',
        '│ aaaaaaaaaa   │ bbbbbbbbbb │',
        '├──────────────┼────────────┤',
        '│ cccccccccccc │ d          │',
        '└──────────────┴────────────┘',
      ],
    ],
    [
      28,
      [
        '┌─────────────┬────────────┐',
        '│ aaaaaaaaaa  │ bbbbbbbbbb │',
        '├─────────────┼────────────┤',
        '│ ccccccccccc │ d          │',
        '│ c           │            │',
        '└─────────────┴────────────┘',
      ],
    ],
    [
      26,
      [
        '┌───────────┬───────────┐',
        '│ aaaaaaaaa │ bbbbbbbbb │',
        '│ a         │ b         │',
        '├───────────┼───────────┤',
        '│ ccccccccc │ d         │',
        '│ ccc       │           │',
        '└───────────┴───────────┘',
      ],
    ],
    [
      15,
      [
        '┌──────┬──────┐',
        '│ aaaa │ bbbb │',
        '│ aaaa │ bbbb │',
        '│ aa   │ bb   │',
        '├──────┼──────┤',
        '│ cccc │ d    │',
        '│ cccc │      │',
        '│ cccc │      │',
        '└──────┴──────┘',
      ],
    ],
    [14, ['aaaaaaaaaa:', '  cccccccccccc', 'bbbbbbbbbb: d']],
  ])('fits %i columns', (columns, expected) => {
    expect(draw(wide, columns)).toEqual(expected)
  })

  it('narrows the widest columns only', () => {
    const lines = ['|a|b|c|', '|-|-|-|', `|${'x'.repeat(9)}|${'y'.repeat(7)}|zzz|`]
    expect(draw(lines, 27)?.[0]).toBe('┌─────────┬─────────┬─────┐')
    expect(draw(lines, 26)?.[0]).toBe('┌────────┬────────┬─────┐')
    expect(draw(lines, 28)?.[0]).toBe('┌──────────┬─────────┬─────┐')
    expect(draw(lines, 29)?.[0]).toBe('┌───────────┬─────────┬─────┐')
  })

  it('that cannot fit becomes one line per cell, with an empty line between rows', () => {
    const style = { paint: named, hasColour: true }
    const lines = ['|a|b|c|', '|-|-|-|', '|one two three|2|3|', '|4|5|6|']
    expect(drawTable(lines, 15, style)).toEqual([
      '<bold>a:</> one',
      '  two three',
      '<bold>b:</> 2',
      '<bold>c:</> 3',
      '',
      '<bold>a:</> 4',
      '<bold>b:</> 5',
      '<bold>c:</> 6',
    ])
  })

  it('needs a delimiter row', () => {
    expect(draw(['|a|b|', '|1|2|'], 40)).toBeUndefined()
    expect(draw(['|a|'], 40)).toBeUndefined()
  })
})
