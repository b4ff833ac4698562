// extract_symbols: the eleven plain patterns of the original server, and language-specific definitions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox()
  client = box.server()
})
afterAll(() => box.remove())

async function symbols(name: string, text: string, args: Json = {}): Promise<string[]> {
  box.put({ [name]: text })
  const result = await client.ok('extract_symbols', { path: name, ...args })
  expect(result.metrics.symbols).toBe((result.symbols as Json[]).length)
  return (result.symbols as Json[]).map(
    ({ kind, name, line }) => `${String(kind)} ${String(name)} ${String(line)}`,
  )
}

describe('extract_symbols', () => {
  it('finds the eleven plain forms in a file of unknown type', async () => {
    const keywords = [
      'class',
      'struct',
      'enum',
      'protocol',
      'extension',
      'func',
      'def',
      'function',
      'interface',
      'type',
    ]
    const text = [...keywords.map((word) => `  ${word} Name_1 {`), 'const make = (', ''].join('\n')
    const expected = keywords.map((word, index) => `${word} Name_1 ${index + 1}`)
    expect(await symbols('x.unknown', text)).toEqual([...expected, 'const make 11'])
  })

  it('finds the plain forms in files of a known language', async () => {
    expect(
      await symbols('p.py', 'class A:\n    def f(self):\n        pass\ndef g(): pass\n'),
    ).toEqual(['class A 1', 'def f 2', 'def g 4'])
    expect(
      await symbols('p.ts', 'interface I {}\ntype T = 1\nfunction f() {}\nconst c = () => 1\n'),
    ).toEqual(['interface I 1', 'type T 2', 'function f 3', 'const c 4'])
    expect(await symbols('p.go', 'package p\n\nfunc F() {}\ntype T struct {\n}\n')).toEqual(
      expect.arrayContaining(['func F 3', 'type T 4']),
    )
    expect(
      await symbols('p.swift', 'protocol P {}\nextension S {}\nstruct S {}\nenum E {}\n'),
    ).toEqual(['protocol P 1', 'extension S 2', 'struct S 3', 'enum E 4'])
  })

  it.each([
    ['ts', 'export default async function f() {}', 'f'],
    ['ts', 'export abstract class A<T> extends B {', 'A'],
    ['ts', 'export const f = async (x: number) => {', 'f'],
    ['ts', 'function* gen() {}', 'gen'],
    ['py', 'async def f():', 'f'],
    ['go', 'func (s *Server[T]) Listen(addr string) error {', 'Listen'],
    ['rs', 'pub(crate) async fn f<T>() {}', 'f'],
    ['rs', 'pub trait T {}', 'T'],
    ['java', 'public final class A<T> implements B {', 'A'],
    ['kt', 'data class A(val x: Int)', 'A'],
    ['kt', 'suspend fun <T> f(x: T) = x', 'f'],
    ['c', 'static int f(const char *s)\n{', 'f'],
    ['cpp', 'void A::f(int x) const {', 'f'],
    ['cs', 'public static class A {', 'A'],
    ['swift', 'public final class A {}', 'A'],
    ['rb', 'module A', 'A'],
    ['php', 'abstract class A {', 'A'],
    ['scala', 'case class A(x: Int)', 'A'],
    ['sh', 'f() {', 'f'],
  ])('in a .%s file: %s defines %s', async (extension, text, name) => {
    const prefix = extension === 'php' ? '<?php\n' : ''
    const found = await symbols(`x.${extension}`, `${prefix}${text}\n`)
    expect(found.map((each) => each.split(' ')[1])).toContain(name)
  })

  it('finds nothing in comments, strings or prose', async () => {
    expect(
      await symbols(
        'x.ts',
        '// class A\n/* function f() {}\n class B {} */\nconst s = `\nclass C {\n`\n',
      ),
    ).toEqual([])
    expect(await symbols('x.py', '# class A\n"""\nclass B:\n"""\ns = "def f():"\n')).toEqual([])
    expect(await symbols('x.md', 'type foo into the\nclass of words\n')).toEqual([])
  })

  it('stops at max_symbols and sets truncated, also for an exact count', async () => {
    const text = 'def a(): pass\ndef b(): pass\ndef c(): pass\n'
    box.put({ 'caps.py': text })
    const ask = (max: number) => client.ok('extract_symbols', { path: 'caps.py', max_symbols: max })
    expect(await ask(2)).toMatchObject({ truncated: true, symbols: [{ name: 'a' }, { name: 'b' }] })
    expect(await ask(3)).toMatchObject({ truncated: true })
    expect(await ask(4)).toMatchObject({ truncated: false, path: 'caps.py' })
  })
})
