import { describe, expect, it } from 'vitest'
import { parseShell } from './parse.ts'

/**
 * Commands as their words, redirections as `> path`. A word whose value differs from its text is `raw=value`;
 * `?` marks an unknown value and `*` a glob.
 */
function parts(text: string): string[] | undefined {
  return parseShell(text)?.map((part) => {
    if (part.kind !== 'command') return `${part.kind === 'write' ? '>' : '<'} ${part.path ?? '?'}`
    const words = part.words.map(({ raw, value, isKnown, hasGlob }) => {
      const marks = `${isKnown ? '' : '?'}${hasGlob ? '*' : ''}`
      return `${raw === value ? raw : `${raw}=${value}`}${marks}`
    })
    return words.join(' ')
  })
}

describe('the words of a shell command', () => {
  it.each<[string, string[]]>([
    ['a\\;b', ['a\\;b=a;b']],
    ['a\\\nb c', ['ab c']],
    ["a'b c'd", ["a'b c'd=ab cd"]],
    ["''", ["''="]],
    ['"a\'b"', ['"a\'b"=a\'b']],
    ['"\\$\\`\\"\\\\\\n"', ['"\\$\\`\\"\\\\\\n"=$`"\\\\n']],
    ['"a\\\nb"', ['"ab"=ab']],
    ['"$x y"', ['"$x y"=$x y?']],
    ['"a`b`"', ['b', '"a`b`"=a`b`?']],
    ['"$\'x\'"', ["\"$'x'\"=$'x'"]],
    ['"a$"', ['"a$"=a$']],
    ['$"x"', ['$"x"=x']],
    ['a$ b', ['a$ b']],
    ['a$', ['a$']],
    ['$x', ['$x?']],
    ['$xy_1-z', ['$xy_1-z?']],
    [`$${'n'.repeat(300)}`, [`$${'n'.repeat(300)}?`]],
    ['$1$@$*$#$?$$$!$-', ['$1$@$*$#$?$$$!$-?']],
    ['a*', ['a**']],
    ['a?', ['a?*']],
    ['[a]', ['[a]*']],
    ['{a,b}', ['{a,b}*']],
    ['"*"', ['"*"=*']],
    ['\\*', ['\\*=*']],
    ['<(b)', ['b', '<(b)=?']],
    ['>(b)', ['b', '>(b)=?']],
    ['x<(b;c)', ['b', 'c', 'x<(b;c)=x?']],
    ['`b`', ['b', '`b`?']],
  ])('of %j are %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['$((1))', ['$((1))?']],
    ['$(((1 + 2) * (3)))', ['$(((1 + 2) * (3)))?']],
    ['$(($x + `b`))', ['b', '$(($x + `b`))?']],
    ['$((a[1] ? b : c, ~d ^ e % f / g))', ['$((a[1] ? b : c, ~d ^ e % f / g))?']],
    ['${x}', ['${x}?']],
    ['${x:-\\}}', ['${x:-\\}}?']],
    ['${x:-"}"}', ['${x:-"}"}?']],
    ['${x:-$(b)`c`}', ['b', 'c', '${x:-$(b)`c`}?']],
    ['${x:-${y}}z', ['${x:-${y}}z?']],
    ['${x@}', ['${x@}?']],
    ['a$(b;c)d', ['b', 'c', 'a$(b;c)d?']],
    ['`b \\`c\\``', ['c', 'b `c`?', '`b \\`c\\``?']],
    ['`b \\$x`', ['b $x?', '`b \\$x`?']],
    ['`b \\\\c`', ['b \\c=c', '`b \\\\c`?']],
    ['`b \\c`', ['b \\c=c', '`b \\c`?']],
  ])('and their expansions in %j are %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })
})

describe('the parts of a shell command', () => {
  it.each(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!', 'time'])(
    'after the word `%s` are a command',
    (word) => {
      expect(parts(`${word} a b`)).toEqual(['a b'])
      expect(parts(`echo ${word} a`)).toEqual([`echo ${word === '{' ? '{*' : word} a`])
    },
  )

  it.each(['fi', 'done', '}'])('after the word `%s` are redirections only', (word) => {
    expect(parts(`${word} > f; a`)).toEqual(['> f', 'a'])
    expect(parts(`${word} a`)).toBeUndefined()
    expect(parts(`${word} (a)`)).toBeUndefined()
    expect(parts(`a ${word}`)).toEqual([`a ${word}`])
  })

  it.each<[string, string[]]>([
    ['a;b', ['a', 'b']],
    ['a&b', ['a', 'b']],
    ['a|b', ['a', 'b']],
    ['a||b&&c|&d', ['a', 'b', 'c', 'd']],
    ['a\tb', ['a b']],
    ['a \\\n b', ['a b']],
    ['a #\nb', ['a', 'b']],
    ['a #x\nb', ['a', 'b']],
    ['a #x;y #\n\nb', ['a', 'b']],
    ['(a)', ['a']],
    ['(a;b)&&(c)', ['a', 'b', 'c']],
    ['((a))', ['a']],
    ['for x in a b; do c; done', ['c']],
    ['for x\ndo c; done', ['c']],
  ])('of %j are %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['a>f', ['> f', 'a']],
    ['a<f', ['< f', 'a']],
    ['a >\tf', ['> f', 'a']],
    ['a > \\\nf', ['> f', 'a']],
    ['a >> f', ['> f', 'a']],
    ['a &>> f', ['> f', 'a']],
    ['a &>f', ['> f', 'a']],
    ['a <& f', ['< f', 'a']],
    ['a >& f', ['> f', 'a']],
    ['a 2>&1', ['a']],
    ['a 2>&1-', ['a']],
    ['a >&-', ['a']],
    ['a > 1', ['> 1', 'a']],
    ['a > -', ['> -', 'a']],
    ['a 12> f', ['> f', 'a']],
    ["a > 'x y'", ['> x y', 'a']],
    ['a > "$x"', ['> ?', 'a']],
    ['a > ?', ['> ?', 'a']],
    ['a > [x]', ['> ?', 'a']],
    ["a > '*'", ['> *', 'a']],
    ['a > ~', ['> ?', 'a']],
    ["a > '~'", ['> ~', 'a']],
    ['a < <(b)', ['b', '< ?', 'a']],
    ['a <<<x', ['a']],
    [`${'1'.repeat(14)}>>f`, ['> f']],
  ])('and the redirections of %j are %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['a <<E\n$(b)\nE\nc', ['a', 'b', 'c']],
    ['a <<E\n$(b)', ['a', 'b']],
    ['a <<E\n$(bc)', ['a', 'bc']],
    ['a <<E\n$(b\nc)\nE', ['a', 'b', 'c']],
    ['a <<E\n"$\'`b`\\$(c)\nE', ['a', 'b']],
    ['a <<E\nx\\\nE\nb', ['a', 'b']],
    ['a <<E\nx\\y\nE\nb', ['a', 'b']],
    ['a <<E\n E\nE\nb', ['a', 'b']],
    ['a <<E\n\tE\nE\nb', ['a', 'b']],
    ['a <<-E\n\t\tE\nb', ['a', 'b']],
    ['a <<-E\nE\nb', ['a', 'b']],
    ['a <<E <<F; b\n$(c)\nE\n$(d)\nF\ne', ['a', 'b', 'c', 'd', 'e']],
    ["a <<'E'\n$(b)\nE\nc", ['a', 'c']],
    ['a <<"E"\n$(b)\nE\nc', ['a', 'c']],
    ['a <<\\E\n$(b)\nE\nc', ['a', 'c']],
    ['a <<E', ['a']],
    ['(a <<E\n$(b)\nE\n)', ['a', 'b']],
  ])('and the here-documents of %j are %j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each([
    ...['case', 'esac', 'function', 'coproc', 'select', 'in'],
    ...['a;;b', 'a ;& b', 'a(b', 'a (b)', '(a)(b)', '(a', 'a)', '(a) b', 'fi b'],
    ...['a >', 'a > ;', 'a <<$x\n', '(a <<E)\nx\nE', 'for x', 'for (x)'],
    ...['$((1)', '$((1) )', '$(((1))', '$((1', '$(("1"))', "$(('1'))", '$((1;2))', '$((a) b)'],
    ...["$'a'", '$[1]', "${x'}", '${x', '${x@P}', '${x[@]@a}', '"a', "'a", '`a', 'a\\', '"\\'],
    ...['`(`', '$(a', '<(a', `${'1'.repeat(15)}>>f`, 'a <<E\n$(b\nE', 'a\0'],
  ])('are unknown for %j', (text) => {
    expect(parts(text)).toBeUndefined()
  })

  it('are known up to 50 nested lists', () => {
    const nested = (depth: number) => `${'('.repeat(depth - 1)}a${')'.repeat(depth - 1)}`
    expect(parts(nested(50))).toEqual(['a'])
    expect(parts(nested(51))).toBeUndefined()
    expect(parts(`(a);${nested(50)}`)).toEqual(['a', 'a'])
    expect(parts(`(a);(a);${nested(51)}`)).toBeUndefined()
  })
})
