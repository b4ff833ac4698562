import { describe, expect, test } from 'vitest'
import { symbols } from '../../../test/support/symbols.ts'

describe('scanners find the definitions in', () => {
  test('C++', () => {
    const text = `namespace a::b {
template <typename T, int N = sizeof(T)>
class API Widget final : public Base<T>, private Other {
public:
  explicit Widget(int x) : x_(x), y_{1} { init(); }
  virtual ~Widget() = default;
  void draw() const override;
  bool operator==(const Widget &o) const { return true; }
  int operator()(int a) { return a; }
private:
  int x_;
};
enum class Mode : int { On, Off };
using Alias = Widget<int, 1>;
union Value { int i; };
}
template <> void a::b::Widget<int>::draw() const { auto s = R"x(class Raw { )" )x"; }
Widget::Widget(int x)
    : x_(x) {
}
extern "C" { int c_function(int a) { return 1'000'000; } }
static std::vector<std::pair<int, int>> pairs() { return {}; }
`
    expect(symbols('a.cpp', text)).toEqual([
      '1 namespace a',
      '1 namespace b',
      '3 class Widget',
      '5 method Widget',
      '6 method ~Widget',
      '7 method draw',
      '8 method operator==',
      '9 method operator()',
      '13 enum Mode',
      '14 using Alias',
      '15 union Value',
      '17 function draw',
      '18 function Widget',
      '21 function c_function',
      '22 function pairs',
    ])
  })

  test('C#', () => {
    const text = `namespace App.Core;
[Serializable]
public sealed partial class Foo<T> : Bar, IBaz where T : new()
{
    private readonly int _x = 1;
    public int Count { get; set; }
    public string Name => "class X {";
    public Foo(int a) : base(a) { }
    [Obsolete("x")] public static async Task<int> RunAsync<K>(K key) { return 1; }
    public int Twice(int a) => a * 2;
    public event EventHandler Changed;
    public static Foo operator +(Foo a, Foo b) { return a; }
    private string v = @"class V { "" }";
}
public record Point(int X, int Y);
public struct S { }
public interface IThing { void Go(); }
enum Level { Low, High }
delegate int Callback(int x);
`
    expect(symbols('a.cs', text)).toEqual([
      '1 namespace App.Core',
      '3 class Foo',
      '8 method Foo',
      '9 method RunAsync',
      '10 method Twice',
      '12 method operator +',
      '15 record Point',
      '16 struct S',
      '17 interface IThing',
      '17 method Go',
      '18 enum Level',
      '19 delegate Callback',
    ])
    const all = symbols('a.cs', text, 'all')
    for (const one of ['5 field _x', '6 property Count', '7 property Name', '18 enumerator High']) {
      expect(all).toContain(one)
    }
  })

  test('Swift', () => {
    const text = `public final class Foo: Bar {
  public init?(x: Int) {}
  @objc open override func draw(_ x: Int) -> Int { 1 }
  static func == (a: Foo, b: Foo) -> Bool { true }
  class func make() {}
  deinit {}
}
struct S<T> { let a = 1 }
indirect enum E { case one, two(Int) }
protocol P { associatedtype Item; func go() }
extension Foo: P where T: Q {}
actor Store {}
typealias Name = String
/* func comment() /* nested */ func more() */
let s = """
func inString() {}
"""
func last() {}
`
    expect(symbols('a.swift', text)).toEqual([
      '1 class Foo',
      '2 init init',
      '3 func draw',
      '4 func ==',
      '5 func make',
      '6 deinit deinit',
      '8 struct S',
      '9 enum E',
      '10 protocol P',
      '10 associatedtype Item',
      '10 func go',
      '11 extension Foo',
      '12 actor Store',
      '13 typealias Name',
      '18 func last',
    ])
  })

  test('Kotlin', () => {
    const text = `package a
@Serializable data class Point(val x: Int)
sealed interface Shape
enum class Color { RED }
object Single { const val A = 1 }
fun interface Action { fun run() }
private suspend inline fun <reified T> List<T>.second(): T = this[1]
class Foo { companion object Named { fun create() = Foo() }
  override fun \`name with spaces\`() {} }
typealias Name = String
val top = """fun inString() {}"""
// fun comment() {}
`
    expect(symbols('a.kt', text)).toEqual([
      '2 class Point',
      '3 interface Shape',
      '4 enum Color',
      '5 object Single',
      '6 interface Action',
      '6 fun run',
      '7 fun second',
      '8 class Foo',
      '8 object Named',
      '8 fun create',
      '9 fun name with spaces',
      '10 typealias Name',
    ])
  })

  test('Scala', () => {
    const text = `package object util
sealed trait Shape
final case class Circle[T](r: Double) extends Shape {
  private[this] def area: Double = 1
  def +(o: Circle[T]) = o
  type Out = Int
}
object Main { lazy val x = 1 }
implicit class Rich(s: String)
enum Color { case Red }
given ordering: Ordering[Int] = ???
// def comment = 1
val s = """def inString = 1"""
`
    expect(symbols('a.scala', text)).toEqual([
      '1 object util',
      '2 trait Shape',
      '3 class Circle',
      '4 def area',
      '5 def +',
      '6 type Out',
      '8 object Main',
      '9 class Rich',
      '10 enum Color',
      '11 given ordering',
    ])
  })

  test('Ruby', () => {
    const text = `module A::B
  class Foo < Bar
    attr_accessor :name, :age
    LIMIT = 5
    def initialize(x); end
    def self.build; end
    def valid?; end
    def ==(other); end
    def [](i); end
    private def hidden; end
    define_method(:dynamic) { }
    class << self
      def inner; end
    end
  end
end
# def comment; end
x = <<~EOS
  def heredoc; end
EOS
=begin
def block; end
=end
s = "def string; end"
`
    expect(symbols('a.rb', text)).toEqual([
      '1 module B',
      '2 class Foo',
      '5 def initialize',
      '6 def build',
      '7 def valid?',
      '8 def ==',
      '9 def []',
      '10 def hidden',
      '11 def dynamic',
      '13 def inner',
    ])
    expect(symbols('a.rb', text, 'all')).toContain('3 attr age')
  })

  test('PHP', () => {
    const text = `<html> class Html { don't </html>
<?php
namespace App\\Model;
#[Attr] final class User extends Base implements I {
  public const A = 1;
  private ?string $name = 'function x() {}';
  public static function &find(int $id): ?self { return null; }
  abstract protected function run();
}
interface I {}
trait T { function t() {} }
enum Suit: string { case A = 'a'; }
function helper() { $f = function () {}; }
# function comment() {}
$x = <<<EOT
function heredoc() {}
EOT;
?>
class AfterHtml {
<?php function last() {}
`
    expect(symbols('a.php', text)).toEqual([
      '4 class User',
      '7 function find',
      '8 function run',
      '10 interface I',
      '11 trait T',
      '11 function t',
      '12 enum Suit',
      '13 function helper',
      '20 function last',
    ])
  })

  test('shell', () => {
    const text = `#!/bin/sh
# function comment() { :; }
function one {
  echo "function quoted() {"
}
two() { :; }
three-part ()
{
  awk 'function inner(x) { return x }
  function more() {}'
}
cat <<EOF
four() { :; }
EOF
type git >/dev/null
case x in a) five() { :; };; esac
echo $(date) "\${x#y}"
function six() { :; }
`
    expect(symbols('a.sh', text)).toEqual([
      '3 function one',
      '6 function two',
      '7 function three-part',
      '18 function six',
    ])
  })
})
