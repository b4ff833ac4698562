import { describe, expect, it } from 'vitest'
import { commandFor, internalGroup, program, renderHelp } from './cli.ts'

const command = commandFor({})

function helpOf(count: number, groups: Record<string, readonly string[]>): string {
  const commands = Array.from({ length: count }, (_, index) =>
    command({ name: `c${index}`, summary: `Do ${index}` }),
  )
  return renderHelp([program({ name: 'demo', version: '1', summary: 'Demo', commands, groups })])
}

const headings = (help: string) => help.match(/^\S.*:$/gm)

describe('the help of a parent of commands', () => {
  it('is one list up to 12 commands, completion included', () => {
    expect(headings(helpOf(11, { First: ['c0'] }))).toEqual(['Commands:', 'Options:'])
  })

  it('has groups above 12 commands: the rest after them, internal commands last', () => {
    const groups = { [internalGroup]: ['c3'], First: ['c2', 'c1'], Second: ['c0'] }
    const help = helpOf(12, groups)
    expect(headings(help)).toEqual([
      'First:',
      'Second:',
      'Other commands:',
      'Internal commands:',
      'Options:',
    ])
    expect(help).toContain(
      'First:\n  c2                  Do 2\n  c1                  Do 1\n\nSecond:',
    )
    expect(help).toContain('Internal commands:\n  c3                  Do 3\n\nOptions:')
    expect(help.match(/^ {2}c\d+ /gm)).toHaveLength(12)
  })

  it('is one list if the parent names no groups', () => {
    expect(headings(helpOf(20, {}))).toEqual(['Commands:', 'Options:'])
  })
})

describe('the help of a command', () => {
  it('fits 80 columns: usage breaks between groups, examples before options and pipes', () => {
    const usage = '[--first <directory>] [--second [--third <number>]] [--fourth <value>] -- <cmd>'
    const line = 'demo go --first some/long/folder --request \'{"id":"1","op":"stat"}\' | demo read'
    const go = command({ name: 'go', summary: 'Go', usage, examples: [{ line, note: 'one' }] })
    const root = program({ name: 'demo', version: '1', summary: 'Demo', commands: [go] })
    const help = renderHelp([root, go])
    expect(help).toContain(
      'Usage: demo go [--first <directory>] [--second [--third <number>]]\n' +
        '       [--fourth <value>] -- <cmd>\n',
    )
    expect(help).toContain(
      `  demo go --first some/long/folder --request '{"id":"1","op":"stat"}' \\\n    | demo read\n`,
    )
    for (const each of help.split('\n')) expect(each.length).toBeLessThanOrEqual(80)
  })
})
