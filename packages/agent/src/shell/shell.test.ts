import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { commandText, deniableTexts, isCommandKnown, nestedParts, parseShell } from './shell.ts'

/** Commands as text, redirections as `> path` and `< path`; undefined if the text is not parsed. */
function parts(text: string): string[] | undefined {
  return parseShell(text)?.map((part) =>
    part.kind === 'command'
      ? commandText(part)
      : `${part.kind === 'write' ? '>' : '<'} ${part.path ?? '?'}`,
  )
}

describe('parseShell', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm test']],
    ['  a   b\t c ', ['a b c']],
    ['a; b & c && d || e | f |& g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['a\nb\\\n c', ['a', 'b c']],
    ['a # comment; b', ['a']],
    ['a#b', ['a#b']],
    ['echo \'a; b\' "c && d" e\\;f', ['echo a; b c && d e;f']],
    ['echo $(b c) `d`', ['b c', 'd', 'echo $(b c) `d`']],
    ['echo "x $(b "$(c)") y"', ['c', 'b $(c)', 'echo x $(b "$(c)") y']],
    ['echo ${x:-$(b)}', ['b', 'echo ${x:-$(b)}']],
    ['echo `a \\`b\\``', ['b', 'a `b`', 'echo `a \\`b\\``']],
    ['echo $((1 + $(b)))', ['b', 'echo $((1 + $(b)))']],
    ['(a; b) | c', ['a', 'b', 'c']],
    ['{ a; b; } > f', ['a', 'b', '> f']],
    ['! a', ['a']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for f in *.c $(ls); do rm "$f"; done', ['ls', 'rm $f']],
    ['while read x; do echo $x; done < in', ['read x', 'echo $x', '< in']],
    ['a > f 2>> g <h', ['> f', '>> g'.slice(1), '< h', 'a']],
    ['a >| f', ['> f', 'a']],
    ['a &> f', ['> f', 'a']],
    ['a <> f', ['> f', 'a']],
    ['a 2>&1 >&2 <&-', ['a']],
    ['a >&f', ['> f', 'a']],
    ['a > $x', ['> ?', 'a']],
    ['a > *.txt', ['> ?', 'a']],
    ['a > ~/f', ['> ?', 'a']],
    ['> f', ['> f']],
    ['echo a2>f', ['> f', 'echo a2']],
    ['X=1 Y=$(b) a', ['b', 'X=1 Y=$(b) a']],
    ['cat <<EOF\nrm $(b)\nEOF\nc', ['cat', 'b', 'c']],
    ["cat <<'EOF'\nrm $(b)\nEOF\nc", ['cat', 'c']],
    ['cat <<-E\n\tx `b`\n\tE\nc', ['cat', 'b', 'c']],
    ['cat <<<"$(b)"', ['b', 'cat']],
    ['diff <(a) <(b)', ['a', 'b', 'diff  ']],
    ['', []],
    ['# only a comment', []],
  ])('splits %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each([
    'echo "unbalanced',
    "echo 'unbalanced",
    'echo `unbalanced',
    'echo $(unbalanced',
    'echo ${unbalanced',
    'echo a\\',
    '(a',
    'a)',
    'f() { rm x; }',
    'function f { rm x; }',
    'case x in x) rm y;; esac',
    "echo $'\\'; rm x #'",
    "echo ${x:-'}; rm y #'}",
    'echo ${x@P}',
    'a=(1 2)',
    'a >',
    'a ;; b',
    'for ((;;)); do a; done',
    '(a) b',
    'cat <<$x\nrm\n',
    'a\0b',
    `${'$('.repeat(200)}a${')'.repeat(200)}`,
  ])('does not parse %j', (text) => {
    expect(parts(text)).toBeUndefined()
  })

  it('never throws and ends for any text', () => {
    const piece = fc.constantFrom(
      ...[...'abc $`"\'\\;&|()<>{}#\n\t=*1-'],
      '$(',
      '${',
      '$((',
      '<<E',
      'if ',
      'for ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const found = parseShell(pieces.join(''))
        expect(found === undefined || Array.isArray(found)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('takes linear time for a long command', () => {
    expect(parts(`echo ${'a'.repeat(200_000)}`)).toHaveLength(1)
    expect(parts('a;'.repeat(20_000))).toHaveLength(20_000)
  })
})

function first(text: string) {
  const [part] = parseShell(text) ?? []
  if (part?.kind !== 'command') throw new Error(`not a command: ${text}`)
  return part
}

describe('what a command may run', () => {
  it.each([
    ['rm x'],
    ['X=1 rm x'],
    ['/bin/rm x'],
    ['\\rm x'],
    ["'rm' x"],
    ["r''m x"],
    ['env A=1 rm x'],
    ['sudo -u root rm x'],
    ['timeout 5 rm x'],
    ['nice -n 5 /bin/rm x'],
    ['xargs -n1 rm x'],
    ['find . -exec rm x'],
    ['command rm x'],
  ])('finds rm in %j', (text) => {
    expect(deniableTexts(first(text))).toContain('rm x')
  })

  it.each([
    ['$cmd x', false],
    ['/bin/r* x', false],
    ['{rm,x}', false],
    ['X=1 $cmd', false],
    ['rm $x', true],
    ['X=$y', true],
  ])('%j: the program is known: %s', (text, isKnown) => {
    expect(isCommandKnown(first(text))).toBe(isKnown)
  })

  it.each<[string, string[] | undefined]>([
    ["sh -c 'rm x; a'", ['rm x', 'a']],
    ["env bash -ec 'rm x'", ['rm x']],
    ['eval rm x', ['rm x']],
    ['sh script.sh', []],
    ['echo sh -c "rm x"', []],
    ['sh -c "$x"', undefined],
    ["sh -c 'echo \"'", undefined],
  ])('looks into the nested shell of %j', (text, expected) => {
    const found = nestedParts(first(text))
    expect(found?.map((part) => (part.kind === 'command' ? commandText(part) : ''))).toEqual(
      expected,
    )
  })
})
