import { describe, expect, it } from 'vitest'
import type { SimpleCommand } from './parse.ts'
import { parseShell } from './parse.ts'
import {
  changesFolder,
  commandText,
  deniableTexts,
  isCommandKnown,
  nestedParts,
} from './commands.ts'

function last(text: string): SimpleCommand {
  const part = parseShell(text)?.findLast(({ kind }) => kind === 'command')
  if (part?.kind !== 'command') throw new Error(`not a command: ${text}`)
  return part
}

describe('a simple command', () => {
  it('has a text without quotes', () => {
    expect(commandText(last('a "b  c" \\d'))).toBe('a b  c d')
  })

  it.each<[string, string[]]>([
    ['rm x', ['rm x']],
    ["'rm' x", ['rm x', "'rm' x"]],
    ['/bin/rm "x y"', ['/bin/rm x y', 'rm x y', '/bin/rm "x y"']],
    ['X=1 Y+=2 Z[0]=3 rm x', ['X=1 Y+=2 Z[0]=3 rm x', 'rm x']],
    ['X=1', ['X=1']],
    ['env A=1 /bin/rm x', ['env A=1 /bin/rm x', 'A=1 /bin/rm x', '/bin/rm x', 'rm x', 'x']],
    ['/usr/bin/env rm', ['/usr/bin/env rm', 'env rm', 'rm']],
    ['echo rm x', ['echo rm x']],
  ])('%j may be denied as %j', (text, expected) => {
    expect(deniableTexts(last(text))).toEqual(expected)
  })

  it.each(
    'env command builtin exec nohup time nice ionice setsid stdbuf timeout sudo doas xargs busybox find watch flock strace unbuffer chroot'.split(
      ' ',
    ),
  )('after `%s` may be denied on its own', (wrapper) => {
    const command = {
      kind: 'command' as const,
      words: [...last(`'${wrapper}'`).words, ...last('rm x').words],
    }
    expect(deniableTexts(command)).toContain('rm x')
  })

  it.each<[boolean, string]>([
    [true, 'rm *'],
    [true, 'X=$y'],
    [true, 'X=1 rm $y'],
    [false, '$cmd'],
    [false, 'r* x'],
    [false, 'X=1 $cmd'],
  ])('%s: the program of %j is known', (expected, text) => {
    expect(isCommandKnown(last(text))).toBe(expected)
  })

  it.each(['cd', 'pushd', 'popd', 'chdir', 'eval', 'source', '.', 'builtin', 'command', '/bin/cd'])(
    '`%s x` may change the folder',
    (name) => {
      expect(changesFolder(last(`${name} x`))).toBe(true)
      expect(changesFolder(last(`X=1 ${name}`))).toBe(true)
      expect(changesFolder(last(`a ${name}`))).toBe(false)
    },
  )

  it.each<[boolean, string]>([
    [true, '$x'],
    [true, 'c*'],
    [false, 'cdx'],
    [false, 'X=1'],
    [false, 'X=$y'],
    [false, 'echo $x'],
  ])('%s: %j may change the folder', (expected, text) => {
    expect(changesFolder(last(text))).toBe(expected)
  })
})

describe('a nested shell', () => {
  const nested = (text: string) =>
    nestedParts(last(text))?.map((part) =>
      part.kind === 'command' ? commandText(part) : part.kind,
    )

  it.each(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', '/bin/sh'])('of %s is parsed', (shell) => {
    expect(nested(`${shell} -c 'a; b > f'`)).toEqual(['a', 'write', 'b'])
  })

  it.each<[string, string[] | undefined]>([
    ["X=1 sh -c 'a'", ['a']],
    ["sudo sh -ec 'a' name", ['a']],
    ["/usr/bin/env bash -xce 'a'", ['a']],
    ["env -i A=1 sh -c 'a'", ['a']],
    ["echo sh -c 'a'", []],
    ['sh -c', []],
    ['sh script', []],
    ['sh -C script', []],
    ['sh', []],
    ['eval a "b; c"', ['a b', 'c']],
    ['env eval a', ['a']],
    ['echo eval a', []],
    ['eval', []],
    ['eval $x', undefined],
    ['sh -c "$x"', undefined],
    ["sh -c 'a' $x", ['a']],
    ["sh -c '('", undefined],
    ['a b', []],
    ['X=1', []],
  ])('of %j has the parts %j', (text, expected) => {
    expect(nested(text)).toEqual(expected)
  })
})
