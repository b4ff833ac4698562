import { describe, expect, it } from 'vitest'
import type { CommandEvent, Timeline } from './timeline.ts'
import { checkUses } from './usages.ts'

const search = (command: string, output = '', exitCode: number | undefined = 0, event = 3) => ({
  event,
  command,
  exitCode,
  isTimedOut: false,
  output,
  runs: [],
  reports: () => [],
  mayChangeFiles: false,
})

type Allows = 'nothing' | 'a definition' | 'a use'

const check = (
  name: string | undefined,
  allows: Allows,
  commands: CommandEvent[],
  changes: Timeline['changes'] = [],
) => {
  const { verdict, event, reason } = checkUses(
    { kind: 'no_other_uses', name, allows },
    { commands, changes },
  )
  return `${verdict} ${event}: ${reason}`
}

const edited = (event: number, path: string, text?: string, kind: 'edited' | 'failed' = 'edited') =>
  ({ event, kind, path, byShell: false, ...(text !== undefined && { text }) }) as const

const none = 'contradicted null: no receipt'
const ok = 'ok 3: event 3'

describe('checkUses', () => {
  it('needs a search', () => {
    expect(check('old', 'nothing', [])).toBe(none)
    expect(check('old', 'nothing', [search('cat old')])).toBe(none)
    expect(check('old', 'nothing', [search('grep new')])).toBe(none)
    expect(check(undefined, 'nothing', [])).toBe(none)
    expect(check(undefined, 'nothing', [search('rg x'), search('ls')])).toBe(
      'unchecked 3: not checkable',
    )
  })

  it.each(['grep', 'rg', 'ag', 'ack', 'ripgrep', 'git grep', 'findstr'])('reads %s', (program) => {
    expect(check('old', 'nothing', [search(`${program} old`, '', 1)])).toBe(ok)
  })

  it.each([
    ['a.old', 'rg old'],
    ['call(x)', String.raw`rg 'call\(x\)'`],
    ['two words', 'rg "two words"'],
  ])('finds the search for %s in %s', (name, command) => {
    expect(check(name, 'nothing', [search(command, '', 1)])).toBe(ok)
  })

  it('takes the last search for the name', () => {
    const first = search('rg old', 'a.ts:1:old', 0, 3)
    const last = search('rg old', '', 1, 5)
    expect(check('old', 'nothing', [first, last, search('rg new', '', 0, 7)])).toBe('ok 5: event 5')
  })

  it.each<[exitCode: number | undefined, verdict: string]>([
    [0, ok],
    [1, ok],
    [2, 'contradicted 3: event 3: exit 2'],
    [undefined, ok],
  ])('judges the exit code %j', (exitCode, verdict) => {
    expect(check('old', 'nothing', [{ ...search('rg old'), exitCode }])).toBe(verdict)
  })

  it('is stale after a change that adds the name', () => {
    const commands = [search('rg old', '', 1)]
    const stale = 'stale 3: stale: a.ts changed after event 3'
    expect(check('old', 'nothing', commands, [edited(4, 'a.ts', 'old()')])).toBe(stale)
    expect(check('old', 'nothing', commands, [edited(3, 'a.ts', 'old()')])).toBe(ok)
    expect(check('old', 'nothing', commands, [edited(2, 'a.ts', 'old()')])).toBe(ok)
    expect(check('old', 'nothing', commands, [edited(4, 'a.ts', 'other')])).toBe(ok)
    expect(check('old', 'nothing', commands, [edited(4, 'a.ts')])).toBe(ok)
    expect(check('old', 'nothing', commands, [edited(4, 'a.ts', 'old()', 'failed')])).toBe(ok)
  })

  const also = (files: string) => `contradicted 3: event 3: also in ${files}`

  it.each<[output: string, allows: Allows, verdict: string]>([
    ['a.ts:1:old()', 'nothing', also('a.ts')],
    ['a.ts:1:old()', 'a use', ok],
    ['a.ts:1:old()', 'a definition', also('a.ts')],
    ['a.ts', 'a definition', ok],
    ['a.ts:1:function old() {', 'a definition', ok],
    ['a.ts:1:function old() {\na.ts:2:old()', 'a definition', ok],
    ['a.ts:1:x = old\na.ts:2:old()', 'a definition', also('a.ts')],
    ['a.ts:function other, old', 'a definition', ok],
    ['a.ts:1:function other(old)', 'a definition', also('a.ts')],
    ['a.ts:1:const x = old', 'a definition', also('a.ts')],
    ['a.ts:1:import type old', 'a definition', also('a.ts')],
    ['a.ts:1:old()\nb.ts:1:old()', 'a use', also('a.ts, b.ts')],
    ['a.ts:1:old()\na.ts-2-x\na.ts:3:old()', 'nothing', also('a.ts')],
    ['a.ts\nb.ts\nc.ts\nd.ts', 'nothing', also('a.ts, b.ts, c.ts')],
    ['a.ts:1:other', 'nothing', ok],
    ['No matches', 'nothing', ok],
    ['a b.ts', 'nothing', ok],
  ])('reads %j with %s allowed', (output, allows, verdict) => {
    expect(check('old', allows, [search('rg old', output)])).toBe(verdict)
  })

  it.each([
    ...['function', 'def', 'fn', 'func', 'class', 'const', 'let', 'var', 'type', 'interface'],
    ...['struct', 'enum', 'trait', 'sub', 'void', 'module'],
  ])('knows a definition by %s', (word) => {
    expect(check('old', 'a definition', [search('rg old', `a.ts:1:${word} old`)])).toBe(ok)
  })

  it('leaves out the files that the session has changed', () => {
    const output = '/w/a.ts:1:old()\nb.ts:1:old()'
    expect(check('old', 'nothing', [search('rg old', output)], [edited(1, 'a.ts')])).toBe(
      also('b.ts'),
    )
    expect(
      check('old', 'nothing', [search('rg old', output)], [edited(1, 'a.ts'), edited(9, 'b.ts')]),
    ).toBe(ok)
  })

  it('reads the first 64 KiB of matches', () => {
    const line = 'a.ts'
    const padding = '\n'.repeat(64 * 1024 - line.length)
    expect(check('old', 'nothing', [search('rg old', `${padding}${line}`)])).toBe(also('a.ts'))
    expect(check('old', 'nothing', [search('rg old', `${padding}\n${line}`)])).toBe(also('a.t'))
  })

  it('matches the last part of a dotted name', () => {
    const found = search('rg a.old', 'x.ts:1:b.old()\ny.ts:1:other')
    expect(check('a.old', 'nothing', [found])).toBe(also('x.ts'))
    const defined = search('rg a.old', 'x.ts:1:function old() {')
    expect(check('a.old', 'a definition', [defined])).toBe(ok)
  })
})
