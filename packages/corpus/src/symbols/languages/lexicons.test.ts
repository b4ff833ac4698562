// Source text, and the same text with comments and the contents of strings blanked; a dot stands for a blank.
import { expect, test } from 'vitest'
import { createBlanker } from '../blank.ts'
import type { Lexicon } from '../blank.ts'
import * as lexicons from './lexicons.ts'

function blanked(lexicon: Lexicon, text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  createBlanker(lexicon)(bytes)
  expect(bytes).toHaveLength(text.length)
  const found = bytes.toString('latin1')
  return Array.from(found, (char, at) => (char === ' ' && text[at] !== ' ' ? '.' : char)).join('')
}

const languages: [name: string, lexicon: Lexicon, rows: [text: string, blank: string][]][] = [
  [
    'Java',
    lexicons.javaLexicon,
    [
      ['a // b\nc', 'a .. .\nc'],
      ['a /* b\n * c */ d', 'a .. .\n . . .. d'],
      ['a /**/ b /***/ c /*/ d */ e', 'a .... b ..... c ... . .. e'],
      ['/* a', '.. .'],
      ['/*', '..'],
      ['a / b', 'a / b'],
      ['"a\\"b" c', '"...." c'],
      ['"a\nb"', '"a\nb"'],
      ['"""a\n"b" \\""" c"""d', '""".\n... .... ."""d'],
      ["'a' 'b\\'' c", "'.' '...' c"],
      ['"a" "', '"." "'],
      ['"" a "b"', '"" a "."'],
      ['"a\\\nb" c', '"..\n." c'],
      ['\xef\xbb\xbf"a"', '..."."'],
      ['a\r\n"b"\rc', 'a.\n"."\nc'],
    ],
  ],
  [
    'Go',
    lexicons.goLexicon,
    [
      ['`a\n\\` b', '`.\n.` b'],
      ["'`' `a`", "'.' `.`"],
      ['"`" b `', '"." b `'],
      ['// `\n"a"', '.. .\n"."'],
    ],
  ],
  [
    'JavaScript',
    lexicons.scriptLexicon,
    [
      ['`a${b}c` d', '`......` d'],
      ['`a${""}` b "c"', '`......` b "."'],
      ['`a${`b${c}`}d` e', '`............` e'],
      ['`\\`` a', '`..` a'],
      ['`a${"`}"}b` c', '`.........` c'],
      ["`a${'}\\'}'}b` c", '`...........` c'],
      ['`a${{b: {}}}c` d', '`...... .....` d'],
      ['`a${"b}` c', '`......` c'],
      ["`a${'\n}` b", '`....\n.` b'],
      ['`$a{}` b', '`....` b'],
      ['`${a}${b}` c', '`........` c'],
      ['a = /b"c/g; "d"', 'a = /.../g; "."'],
      ['a = /[/"]/ + "b"', 'a = /..../ + "."'],
      ['a = /\\/"/ + "b"', 'a = /.../ + "."'],
      ['a / "b" / c', 'a / "." / c'],
      ['return /"/; b', 'return /./; b'],
      ['x.return /"a"/ b', 'x.return /"."/ b'],
      ['(/"/)', '(/./)'],
      ['(a) /"b"/ c', '(a) /"."/ c'],
      ['/"/.test(a)', '/./.test(a)'],
      ['a\n/"b"/ c', 'a\n/"."/ c'],
      [',\n\t /"/ b', ',\n\t /./ b'],
      ['</a>"b"', '</a>"."'],
      ['a = /b\n"c"', 'a = /b\n"."'],
      ['a = /b"', 'a = /b"'],
      ['a = /[b/"\n', 'a = /[b/"\n'],
      ['typeof/"/', 'typeof/./'],
      ['a$case /"b"/ c', 'a$case /"."/ c'],
      ['else /"/ a', 'else /./ a'],
    ],
  ],
  [
    'C',
    lexicons.cLexicon,
    [
      ['R"(a"b)" c', 'R"(...)" c'],
      ['R"x(a)"b)x" c', 'R"x(....)x" c'],
      ['R"x y(a" b', 'R". ..." b'],
      ['R"0123456789abcdef(")0123456789abcdef" a', 'R"0123456789abcdef(.)0123456789abcdef" a'],
      ['R"0123456789abcdefg(") a', 'R"..................") a'],
      ['R"(a', 'R"(.'],
      ['R"a" b', 'R"." b'],
      ["1'000'000 'a' b", "1'000'000 '.' b"],
      ["a_'b'", "a_'b'"],
      ["'a'b", "'.'b"],
      ["\xe9'\xe9' a", "\xe9'\xe9' a"],
      ["_'a'_", "_'a'_"],
      ["Z'z' 9'0'", "Z'z' .'0'"],
      ["('a')", "('.')"],
      ['LR"(a)" "b"', 'LR"(.)" "."'],
    ],
  ],
  [
    'C#',
    lexicons.csharpLexicon,
    [
      ['@"a""b" c', '@"...." c'],
      ['@"a\\" b', '@".." b'],
      ['@"a\nb" c', '@".\n." c'],
      ['@"a""', '@"...'],
      ['@"a', '@".'],
      ['@"" a "b"', '@"" a "."'],
      ['$@"a""b" c', '$@"...." c'],
      ['@$"a\\"" b', '@$".... .'],
      ['$"a\\"b" c', '$"...." c'],
      ['"""a\n\\""" b', '""".\n.""" b'],
      ['"a""b" c', '".""." c'],
      ['@"a"#"b"', '@"."#"."'],
      ["'\"' a", "'.' a"],
    ],
  ],
  [
    'Rust',
    lexicons.rustLexicon,
    [
      ['r"a\\" b', 'r".." b'],
      ['r#"a"b"# c', 'r#"..."# c'],
      ['r##"a"# b"## c', 'r##"... ."## c'],
      ['#"a" b', '#"." b'],
      ['b"a\\"b" c', 'b"...." c'],
      ['"a\nb" c', '".\n." c'],
      ["'a' b 'c", "'.' b 'c"],
      ["'\\'' a", "'..' a"],
      ["'\xc3\xa9' a 'b'", "'..' a '.'"],
      ["'\xe2\x82\xac' a", "'...' a"],
      ["'\xf0\x9f\x98\x80' a", "'....' a"],
      ["'\n' a", "'\n' a"],
      ["'ab' c", "'ab' c"],
      ['/* a /* b */ c */ d', '.. . .. . .. . .. d'],
      ['/* a /* b */ c', '.. . .. . .. .'],
      ['/* a /* b /* c */ d */ e */ f /* g */', '.. . .. . .. . .. . .. . .. f .. . ..'],
      ['r#"a', 'r#".'],
    ],
  ],
  [
    'Swift',
    lexicons.swiftLexicon,
    [
      ['#"a"b\\"# c', '#"...."# c'],
      ['"""a\n"b"\\"""c""" d', '""".\n........""" d'],
      ['"a\\"b" c', '"...." c'],
      ["'a'", "'a'"],
    ],
  ],
  [
    'Kotlin',
    lexicons.kotlinLexicon,
    [
      ['"""a\\""" b', '"""..""" b'],
      ['"a\\"b" c', '"...." c'],
      ["'\"' a", "'.' a"],
      ['/* /* */ a */ b', '.. .. .. . .. b'],
    ],
  ],
  [
    'Python',
    lexicons.pythonLexicon,
    [
      ['# a\n"b"', '. .\n"."'],
      ["'''a\n'b' \\''' c''' d", "'''.\n... .... .''' d"],
      ['"a # b" # c', '". . ." . .'],
      ["'a", "'a"],
      ['"" # a', '"" . .'],
      ['""" a', '""" .'],
    ],
  ],
  [
    'Ruby',
    lexicons.rubyLexicon,
    [
      ['#{a} # b', '#{a} . .'],
      ['/a#{b}/ + "c" {# d', '/a#{b}/ + "." {. .'],
      ['"a#b" c', '"..." c'],
      ['=begin\na\n=end b', '......\n.\n.... b'],
      ['a =begin\nb\n=end', 'a =begin\nb\n=end'],
      ['\n=begin\na', '\n......\n.'],
      ['`a` b', '`.` b'],
      ['<<~EOS\n  a "\n  EOS\nb', '<<~EOS\n  . .\n  ...\nb'],
      ['<<-\'A\' + "b"\n"\nA\n"c"', '<<-\'A\' + "."\n.\n.\n"."'],
      ['a <<B, <<C\n"\nB\n"\nC\nd', 'a <<B, <<C\n.\n.\n.\n.\nd'],
      ['<<eos\n"a"\neos', '<<eos\n"."\neos'],
      ['a << B\n"\nB', 'a << B\n"\nB'],
      ['a <<<B\n"\nB', 'a <<<B\n"\nB'],
      ['<<A\n"\nAb\n A\n"c"', '<<A\n.\n..\n .\n"."'],
      ['<<A\nx A\n"b"\n\tA\nd', '<<A\n. .\n...\n..\nd'],
      ['<<A\nA\n"b"', '<<A\n.\n"."'],
      ['<<A', '<<A'],
      ['__END__\na "b"', '.......\n. ...'],
      ['a\n__END__\nb', 'a\n.......\n.'],
      ['a __END__\nb', 'a __END__\nb'],
      ['__END__ \na', '__END__ \na'],
      ['__END__', '__END__'],
    ],
  ],
  [
    'Shell',
    lexicons.shellLexicon,
    [
      ['# a\nb#c # d', '. .\nb#c . .'],
      ['a;#b', 'a;..'],
      ['a&#b\n|#c\n(#d\n)#e', 'a&..\n|..\n(..\n)..'],
      ['$# "a"', '$# "."'],
      ['"a\n\\"b" c', '".\n..." c'],
      ["'a\\' b", "'..' b"],
      ['\\" "a"', '\\" "."'],
      ["\\' 'a'", "\\' '.'"],
      ['a <<EOF\n"b"\nEOF\n"c"', 'a <<EOF\n...\n...\n"."'],
      ["a <<- 'E1'\n\"\n\tE1\nb", "a <<- 'E1'\n.\n...\nb"],
      ['a <<<b "c"', 'a <<<b "."'],
      ['a < b', 'a < b'],
    ],
  ],
  [
    'PHP',
    lexicons.phpLexicon,
    [
      ['<?php a "b" ?> "c" <?= \'d\' ?>"', '..... a "." .. ... ..= \'.\' ...'],
      ['<? a', '.. a'],
      ['# a\n#[b] "c"', '. .\n#[b] "."'],
      ['"a\n\\"b" c', '".\n..." c'],
      ["'a\n\\'b' c", "'.\n...' c"],
      ['<<<A\n"b\nA; "c"', '<<<A\n..\n.; "."'],
      ['<<< "A"\n\'\n  A\nb', '<<< "A"\n.\n  .\nb'],
      ['a ? b : c', 'a ? b : c'],
      ['a ?', 'a ?'],
      ['?>a', '...'],
    ],
  ],
]

const cases = languages.flatMap(([name, lexicon, rows]) =>
  rows.map(([text, blank]) => ({ name, lexicon, text, blank })),
)

test.each(cases)('the lexicon of $name blanks $text', ({ lexicon, text, blank }) => {
  expect(blanked(lexicon, text)).toBe(blank)
})

test.each([
  [19, '.'],
  [20, '"'],
])('after %d here-documents without an end, the next one is blanked to %j', (count, quote) => {
  const open = Array.from({ length: count }, (_, at) => `<<A${at}_\n`).join('')
  expect(blanked(lexicons.rubyLexicon, `${open}<<B\n"\nB`)).toBe(
    `${open}<<B\n${quote}\n${quote === '.' ? '.' : 'B'}`,
  )
})

test.each([
  [999, true],
  [1000, false],
])('a here-document with its word %d times in its lines is ended: %s', (count, isEnded) => {
  const lines = 'xB\n'.repeat(count)
  const text = `<<B\n${lines}B\n`
  expect(blanked(lexicons.rubyLexicon, text) === text).toBe(!isEnded)
})
