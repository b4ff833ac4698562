import { expect, test } from 'vitest'
import { symbols } from '../../../test/support/symbols.ts'

/** A text in which each scanner finds something else. */
const text = [
  ...['struct a { int b; };', 'type C struct {}', 'def d', 'fn e() {}', 'fun f() {}'],
  ...['func g() {}', 'object H', 'module I', 'trait J', 'const k = () => 1', 'l() {', 'm = 1'],
].join('\n')

const found = (file: string): string =>
  symbols(file, file.includes('.ph') ? `<?php\n${text}` : text, 'all')
    .map((one) => one.replace(/^\d+ /, ''))
    .join()

const groups: [of: string, extensions: string][] = [
  ['ts', 'ts tsx mts cts js jsx mjs cjs'],
  ['py', 'py pyi pyw pyx'],
  ['kt', 'kt kts'],
  ['h', 'h hh hpp hxx inl ipp'],
  ['cpp', 'cc cpp cxx c++ cu ino'],
  ['rb', 'rb rake gemspec ru'],
  ['php', 'php phtml'],
  ['scala', 'scala sc'],
  ['sh', 'sh bash zsh ksh bats'],
  ['md', 'md markdown mdx rst adoc asciidoc org tex textile wiki log csv tsv html htm'],
  ['md', 'json jsonl lock svg xml map'],
  ['txt', 'txt text'],
]

test.each(groups)('files like a.%s are: %s', (of, extensions) => {
  for (const extension of extensions.split(' ')) {
    expect(found(`x/y.z/A.${extension}`), extension).toBe(found(`a.${of}`))
    expect(found(`a.${extension.toUpperCase()}`.replace('.PH', '.ph')), extension).toBe(
      found(`a.${of}`),
    )
  }
})

test('the scanners find different symbols', () => {
  const languages = [...new Set(groups.map(([of]) => of)), 'go', 'rs', 'java', 'c', 'cs', 'swift']
  const lists = languages.map((one) => `${one}: ${found(`a.${one}`)}`)
  expect(lists).toEqual([
    'ts: struct a,def d,func g,const k,method l',
    'py: struct a,type C,def d,func g,const k,variable m',
    'kt: struct a,type C,def d,fun f,func g,object H,const k',
    'h: struct a,field b,def d,function e,function f,function g,variable k',
    'cpp: struct a,field b,def d,function e,function f,function g,variable k',
    'rb: struct a,type C,def d,func g,module I,const k',
    'php: struct a,type C,def d,func g,trait J,const k',
    'scala: struct a,type C,def d,func g,object H,trait J,const k',
    'sh: function l',
    'md: ',
    'txt: struct a,def d,func g,const k',
    'go: struct a,type C,def d,func g,const k',
    'rs: struct a,type C,def d,fn e,func g,trait J,const k',
    'java: struct a,field b,type C,def d,func g,const k',
    'c: struct a,field b,def d,function e,function f,function g,variable k',
    'cs: struct a,field b,type C,def d,func g,const k',
    'swift: struct a,type C,def d,func g,const k',
  ])
})

test.each(['Rakefile', 'Gemfile', 'Vagrantfile', 'Podfile', 'Fastfile', 'x/Rakefile'])(
  '%s is Ruby',
  (file) => {
    expect(found(file)).toBe(found('a.rb'))
  },
)

test.each(['makefile', 'xRakefile', 'Rakefiles', 'rb', '.constructor', 'a.toString', 'x.rb/a'])(
  '%s gets the plain patterns',
  (file) => {
    expect(found(file)).toBe(found('a.unknown'))
    expect(found(file)).not.toBe(found('a.rb'))
  },
)
