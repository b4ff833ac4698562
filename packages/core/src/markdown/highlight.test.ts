// Colours of code, by language.
import { describe, expect, it } from 'vitest'
import type { Colours } from '../cli/colour.ts'
import { codeLines, highlightCode } from './highlight.ts'

const names = [
  'bold',
  'dim',
  'italic',
  'underline',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
]
const named = Object.fromEntries(
  names.map((name) => [name, (text: string) => `<${name}>${text}</>`]),
) as unknown as Colours

describe('code', () => {
  it.each([
    ['console', 'echo "a" # b', ['<cyan>echo</> <green>"a"</> <dim># b</>']],
    ['shell', 'if x; then', ['<magenta>if</> x; <magenta>then</>']],
    ['shellsession', 'if x', ['<magenta>if</> x']],
    ['jsonl', '{"a": 1}', ['{<cyan>"a"</>: <yellow>1</>}']],
    ['jsonc', '{"a": true}', ['{<cyan>"a"</>: <magenta>true</>}']],
    ['json5', '{}', ['{}']],
    ['diff', '+a\n-b\n@@ -1 +1 @@', ['<green>+a</>', '<red>-b</>', '<dim>@@ -1 +1 @@</>']],
    ['css', 'p.x { color: red }', ['<magenta>p</><magenta>.x</> { <cyan>color</>: red }']],
    [
      'html',
      '<a href="x">y &amp; z</a>',
      ['<<blue>a</> <cyan>href</>=<green>"x"</>>y <yellow>&amp;</> z</<blue>a</>>'],
    ],
    ['md', '# t\n- a\n> q\n**b**', ['<blue># t</>', '<yellow>-</> a', '<dim>> q</>', '**b**']],
    [
      'js',
      '/** @param x */ const r = /a/ && new Foo("<&>\'") // c\nclass A {}',
      [
        '<dim>/** </><magenta>@param</><dim> x */</> <magenta>const</> r = <green>/a/</> && <magenta>new</> <blue>Foo</>(<green>"<&>\'"</>) <dim>// c</>',
        '<magenta>class</> <blue>A</> {}',
      ],
    ],
    [
      'python',
      '@dec\ndef f(x):\n  return None',
      ['<dim>@dec</>', '<magenta>def</> <blue>f</>(x):', '  <magenta>return</> <yellow>None</>'],
    ],
    ['toml', '[a]\nb = 1', ['<blue>[a]</>', '<cyan>b</> = <yellow>1</>']],
    ['ruby', ':sym', ['<yellow>:sym</>']],
    ['rust', 'let x: u32 = 1;', ['<magenta>let</> <cyan>x</>: <cyan>u32</> = <yellow>1</>;']],
    [
      'ts',
      'type A = string\nfunction f(){}',
      ['<magenta>type</> A = <cyan>string</>', '<magenta>function</> <blue>f</>(){}'],
    ],
    ['dockerfile', 'FROM x', ['<magenta>FROM</> x']],
    ['yaml', 'a: b', ['<cyan>a:</> <green>b</>']],
    ['sql', 'select 1', ['<magenta>select</> <yellow>1</>']],
    ['php', '<?php $a = 1;', ['<dim><?php</> <cyan>$a</> = <yellow>1</>;']],
    ['c', '#include <a>', ['<dim>#</><magenta>include</><dim> </><green><a></>']],
  ])('in %s: %j', (language, code, lines) => {
    expect(highlightCode(code, language, named)).toEqual(lines)
  })

  it.each(['', 'lisp', 'constructor'])('in the unknown language %j has no colours', (language) => {
    expect(highlightCode('x', language, named)).toBeUndefined()
    expect(codeLines('x', language)).toBeUndefined()
  })

  it('is divided into lines and runs of one colour', () => {
    expect(codeLines('a\n\n/* x\ny */ 1 < 2 &&', 'c')).toEqual([
      [{ text: 'a' }],
      [],
      [{ text: '/* x', colour: 'comment' }],
      [
        { text: 'y */', colour: 'comment' },
        { text: ' ' },
        { text: '1', colour: 'number' },
        { text: ' < ' },
        { text: '2', colour: 'number' },
        { text: ' &&' },
      ],
    ])
  })
})
