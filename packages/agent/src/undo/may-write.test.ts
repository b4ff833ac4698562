import { describe, expect, it } from 'vitest'
import { mayWrite } from './may-write.ts'

describe('a shell command', () => {
  it.each(
    (
      'ls pwd cat head tail wc stat file du df date uname whoami id hostname which type grep egrep ' +
      'fgrep rg nl cut tr cmp diff basename dirname realpath readlink printenv true false echo ' +
      'printf seq test [ sleep'
    ).split(' '),
  )('with the program %s only reads', (program) => {
    expect(mayWrite(`${program} --some thing`)).toBe(false)
    expect(mayWrite(`  ${program}`)).toBe(false)
  })

  it.each(['status', 'log', 'show', 'diff', 'rev-parse', 'ls-files', 'blame', 'describe'])(
    'with git %s only reads, unless it has an output file',
    (command) => {
      expect(mayWrite(`git ${command}  --stat x`)).toBe(false)
      expect(mayWrite(`git ${command} x --output x`)).toBe(true)
    },
  )

  it.each([
    ...['<', '>', ';', '&', '|', '`', '$', '(', ')', '{', '}', '\n', '\\', '='].map(
      (character) => `cat a${character}b`,
    ),
    ...['rm x', 'git', 'git commit', 'git checkout x', 'git ls', 'sh', '', 'cats', 'status'],
  ])('may write: %j', (command) => {
    expect(mayWrite(command)).toBe(true)
  })
})
