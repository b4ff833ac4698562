import { describe, expect, it } from 'vitest'
import type { Choice, PickerState } from './choices.ts'
import { applyKey, matchesOf, splitKeys } from './choices.ts'

const choice = (id: string, title: string, text = ''): Choice => ({ id, title, time: '', text })
const state = (filter = '', selected = 0): PickerState => ({
  choices: [
    choice('aaaa', 'Fix the parser'),
    choice('bbbb', 'Write docs', 'the parser is documented'),
    choice('cccc', 'Other'),
  ],
  filter,
  selected,
})

describe('the session picker', () => {
  it('filters by title, by text and by id, ignoring case', () => {
    const ids = (filter: string) => matchesOf(state(filter)).map(({ id }) => id)
    expect(ids('PARSER')).toEqual(['aaaa', 'bbbb'])
    expect(ids('docs parser')).toEqual(['bbbb'])
    expect(ids('ccc')).toEqual(['cccc'])
    expect(ids('none')).toEqual([])
  })

  it('moves with the arrows inside the list of matches', () => {
    expect(applyKey(state('', 0), '\u001b[A')).toEqual({ state: state('', 0) })
    expect(applyKey(state('', 1), '\u001b[B')).toEqual({ state: state('', 2) })
    expect(applyKey(state('', 2), '\u001b[B')).toEqual({ state: state('', 2) })
    expect(applyKey(state('none'), '\u001b[B')).toEqual({ state: state('none') })
  })

  it('chooses with Enter, leaves with Esc and reports Ctrl+C', () => {
    expect(applyKey(state('parser', 1), '\r')).toEqual({ chosen: 'bbbb' })
    expect(applyKey(state('none'), '\r')).toEqual({ state: state('none') })
    expect(applyKey(state(), '\u001b')).toEqual({ chosen: undefined })
    expect(applyKey(state(), '\u0003')).toEqual({ interrupted: true })
  })

  it('edits the filter and selects the first match again', () => {
    expect(applyKey(state('a', 1), 'b')).toEqual({ state: state('ab', 0) })
    expect(applyKey(state('a😀'), '\u007f')).toEqual({ state: state('a') })
    expect(applyKey(state('abc'), '\u0015')).toEqual({ state: state('') })
    expect(applyKey(state('a'), '\u001b[3~')).toEqual({ state: state('a') })
  })

  it('splits input into keys and keeps an incomplete sequence', () => {
    expect(splitKeys('ab\u001b[B\r')).toEqual({ keys: ['a', 'b', '\u001b[B', '\r'], rest: '' })
    expect(splitKeys('x\u001b')).toEqual({ keys: ['x'], rest: '\u001b' })
    expect(splitKeys('\u001b[1;5')).toEqual({ keys: [], rest: '\u001b[1;5' })
    expect(splitKeys('\u001bx')).toEqual({ keys: ['\u001b', 'x'], rest: '' })
    expect(splitKeys('😀')).toEqual({ keys: ['😀'], rest: '' })
  })
})
