import { describe, expect, test } from 'vitest'
import { symbols } from '../../../test/support/symbols.ts'

describe('scanners find the definitions in', () => {
  test('TypeScript and JavaScript', () => {
    const text = `export default async function main<T>(a: T) {}
export abstract class Shape<T extends { a: 1 }> extends Base<T> implements I {
  static #count = 0
  private readonly x: number = 1
  constructor(private a: string) { super() }
  @Log() async *items(): AsyncGenerator<number> { if (a) { foo() } }
  get size(): number { return 1 }
  abstract area(): number
  handler = async (e: Event) => { go() }
  #secret() {}
}
export interface Point { x: number }
export type Alias<T> = T
export const enum Level { Low, High }
declare namespace Ns.Inner { function inner(): void }
export const plain = (a) => a, arrow = async (x) => x
const typed: Handler<Foo> = (x) => x
const value = 5
let lambda = x => x
function* gen() {}
Foo.prototype.bar = function () {}
exports.baz = (a) => a
const obj = {
  method: function () {},
}
// class Comment {}
/* function comment() {} */
const s = 'class InString {}'
const t = \`
class InTemplate { \${ \`function nested() {}\` } }
\`
const r = /class InRegex {"'\`/
class AfterRegex {}
`
    expect(symbols('a.ts', text)).toEqual([
      '1 function main',
      '2 class Shape',
      '5 method constructor',
      '6 method items',
      '7 method size',
      '8 method area',
      '9 method handler',
      '10 method #secret',
      '12 interface Point',
      '13 type Alias',
      '14 enum Level',
      '15 namespace Ns',
      '15 function inner',
      '16 const plain',
      '17 const typed',
      '19 let lambda',
      '20 function gen',
      '21 function bar',
      '22 function baz',
      '24 method method',
      '33 class AfterRegex',
    ])
    expect(symbols('a.tsx', "const a = <div>don't</div>\nclass A {}")).toEqual(['2 class A'])
    expect(symbols('a.ts', text, 'all')).toContain('18 const value')
    expect(symbols('a.ts', text, 'all')).toContain('14 enumerator High')
  })

  test('Python', () => {
    const text = `@decorator
class A(B):
    """
    class InDoc: pass
    """
    x = 1
    def method(self):
        def nested(): pass
        y = 2
    async def coro(self): pass
# def comment(): pass
s = 'def string(): pass'
def élan(): pass
`
    expect(symbols('a.py', text)).toEqual([
      '2 class A',
      '7 def method',
      '8 def nested',
      '10 def coro',
      '13 def élan',
    ])
    expect(symbols('a.py', text, 'all')).toEqual([
      '2 class A',
      '6 variable x',
      '7 def method',
      '8 def nested',
      '10 def coro',
      '12 variable s',
      '13 def élan',
    ])
  })

  test('Go', () => {
    const text = `package main
import "fmt"
type Server struct {
	Name, Host string
	inner struct { Deep int }
}
type (
	ID int
	Handler interface {
		Serve(w int) error
	}
)
func New() *Server { return nil }
func (s *Server) Start(ctx Context) error {
	type local struct{}
	x := \`func InRaw() {}\`
}
func Map[T any](xs []T) []T { return xs }
const (
	A = iota
	B
)
// func Comment() {}
`
    expect(symbols('a.go', text)).toEqual([
      '3 type Server',
      '8 type ID',
      '9 type Handler',
      '13 func New',
      '14 func Start',
      '15 type local',
      '18 func Map',
    ])
    const all = symbols('a.go', text, 'all')
    for (const one of [
      '4 field Name',
      '4 field Host',
      '5 field Deep',
      '10 method Serve',
      '21 const B',
    ]) {
      expect(all).toContain(one)
    }
  })

  test('Rust', () => {
    const text = `pub(crate) struct Point<T> { pub x: T, y: T }
#[derive(Debug)]
pub enum Kind { A, B { c: u8 }, C(u8) }
pub trait Draw { fn draw(&self); const N: usize; }
impl<T: Into<u8>> Draw for path::Point<T> where T: Copy { fn draw(&self) {} }
impl Point<u8> { pub const unsafe extern "C" fn raw() {} }
pub async fn run<'a>(x: &'a str) -> impl Fn() { 'x'; '\\''; }
mod inner { pub type Alias = u8; }
macro_rules! my_macro { () => {} }
static GLOBAL: u8 = 1;
/* fn comment() { /* nested */ fn more() {} } */
const S: &str = r#"fn raw() { " }"#;
union U { a: u8 }
`
    expect(symbols('a.rs', text)).toEqual([
      '1 struct Point',
      '3 enum Kind',
      '4 trait Draw',
      '4 fn draw',
      '5 impl Point',
      '5 fn draw',
      '6 impl Point',
      '6 fn raw',
      '7 fn run',
      '8 mod inner',
      '8 type Alias',
      '9 macro my_macro',
      '13 union U',
    ])
    const all = symbols('a.rs', text, 'all')
    for (const one of ['1 field x', '1 field y', '3 variant B', '10 static GLOBAL']) {
      expect(all).toContain(one)
    }
  })

  test('Java', () => {
    const text = `package a.b;
@Entity(name = "x(")
public abstract class Foo<T extends Comparable<T>> extends Bar implements Baz {
  private static final Map<String, List<T>> MAP = new HashMap<>() {{ put("a", null); }};
  int a, b[];
  static { init(); }
  public Foo(int x) throws E { if (x) { y(); } }
  @Override public <K> Map<K, T> get(final K key, int... rest) { return null; }
  abstract void run();
  interface Inner { void call(); default int d() { return 1; } }
  enum Color { RED("r") { void m() {} }, GREEN; int f; Color() {} }
  record Point(int x, int y) { Point { } int sum() { return x; } }
  @interface Ann { String value() default ""; }
}
// class Comment {}
class Last { String s = "class InString {}"; char c = '{'; }
`
    expect(symbols('a.java', text)).toEqual([
      '3 class Foo',
      '7 method Foo',
      '8 method get',
      '9 method run',
      '10 interface Inner',
      '10 method call',
      '10 method d',
      '11 enum Color',
      '11 method Color',
      '12 record Point',
      '12 method sum',
      '13 interface Ann',
      '13 method value',
      '16 class Last',
    ])
    const all = symbols('a.java', text, 'all')
    for (const one of [
      '4 field MAP',
      '5 field a',
      '5 field b',
      '11 enumerator GREEN',
      '11 field f',
    ]) {
      expect(all).toContain(one)
    }
  })

  test('C', () => {
    const text = `#include <stdio.h>
#define SQUARE(x) ((x) * (x))
#define LIMIT 10
typedef struct node { int value; struct node *next; } node_t;
typedef int (*callback)(void *, int);
struct point { int x, y; };
enum color { RED, GREEN = 2 };
static const struct ops table = { .open = open_it };
int global = 1;
extern int elsewhere;
struct point *make(struct point *p, int (*fn)(int));
static inline int __init
add(int a, int b)
{
  if (a) { return b; }
  return a; /* int comment(void) { */
}
#ifdef X
int twice(int a) {
#else
int twice(void) {
#endif
  return 2;
}
struct point *make(struct point *p, int (*fn)(int)) { char *s = "int str() {"; return p; }
`
    expect(symbols('a.c', text)).toEqual([
      '2 macro SQUARE',
      '4 struct node',
      '4 typedef node_t',
      '5 typedef callback',
      '6 struct point',
      '7 enum color',
      '13 function add',
      '19 function twice',
      '25 function make',
    ])
    expect(symbols('a.h', 'struct foo *p;\nint declared(int a);\n')).toEqual([
      '2 function declared',
    ])
    const all = symbols('a.c', text, 'all')
    for (const one of [
      '3 macro LIMIT',
      '4 field value',
      '6 field y',
      '7 enumerator GREEN',
      '8 variable table',
      '9 variable global',
    ]) {
      expect(all).toContain(one)
    }
  })
})
