// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['class Html { <?php class A {}', '1:26 class A'],
  ['<?php\nnamespace A\\B;\nclass C {}', '3:7 class C', '2:11 namespace A\\B, 3:7 class C'],
  [
    '<?php #[A] final class B extends C implements D {\n  public const E = 1;\n  const F = 2;\n  private ?string $g = "function h() {}";\n  var $i;\n static $j;\n public $k; \n}',
    '1:24 class B',
    '1:24 class B, 2:16 const E, 3:9 const F, 4:20 property g, 5:8 property i, 6:10 property j, 7:10 property k',
  ],
  ['<?php\npublic static function &a(int $b): ?c { return null; }', '2:25 function a'],
  ['<?php\nabstract protected function a();', '2:29 function a'],
  [
    '<?php\ninterface A {}\ntrait B { function c() {} }\nenum D: string { case E = "e"; }',
    '2:11 interface A, 3:7 trait B, 3:20 function c, 4:6 enum D',
  ],
  [
    '<?php\nfunction a() { $b = function () {}; }',
    '2:10 function a',
    '2:10 function a, 2:17 property b',
  ],
  [
    '<?php\n# function a() {}\n// function b() {}\n/* function c() {} */ function d() {}',
    '4:32 function d',
  ],
  [
    '<?php\n$a = <<<EOT\nfunction b() {}\nEOT;\nfunction c() {}',
    '5:10 function c',
    '2:2 property a, 5:10 function c',
  ],
  [
    "<?php\n$a = <<<'EOT'\nfunction b() {}\n  EOT;\nfunction c() {}",
    '5:10 function c',
    '2:2 property a, 5:10 function c',
  ],
  ['<?php ?>\nclass A {}\n<?php function b() {}', '3:16 function b'],
  ['<?php ?> class A {}', ''],
  ['<?= a ?> class B {} <? class C {}', ''],
  ["<?php\n'a\\'class B {}';\nclass C {}", '3:7 class C'],
  ['<?php\n"a\nclass B {}\n"; class C {}', '4:10 class C'],
  ['<?php a ? b : c; class D {}', '1:24 class D'],
  ['<?php a << b; class C {}', '1:21 class C'],
  ['<?php\nclass extends A {}', ''],
  [
    '<?php\nreadonly class A { public readonly int $b; private A|B $c; protected static ?D\\E $f; }',
    '2:16 class A',
    '2:16 class A, 2:41 property b, 2:57 property c, 2:83 property f',
  ],
  ['<?php\n$a = 1;\n$b->c = 2;', '', '2:2 property a, 3:2 property b'],
  [
    '<?php\nstruct A\nprotocol B\nextension C\nfunc d\ndef e\ntype f\nconst g = (\nclass H\nfunction i\ninterface J\nenum K',
    '2:8 struct A, 3:10 protocol B, 4:11 extension C, 5:6 func d, 6:5 def e, 7:6 type f, 8:7 const g, 9:7 class H, 10:10 function i, 11:11 interface J, 12:6 enum K',
  ],
  [
    '<?php\nconst A = 1;\nconst int B = 2;\nfinal public const C = 3;',
    '',
    '2:7 const A, 3:11 const B, 4:20 const C',
  ],
  ['class A {}', ''],
  ['', ''],
  ['<?', ''],
  ['<?php', ''],
  ['<?phpclass A {}', '1:12 class A'],
  ['<? class A {}', '1:10 class A'],
  ['<?class A {}', '1:9 class A'],
  ['<?php x function a() {}', ''],
  ['<?php\nstatic fn() => 1; static function a() {}', '2:35 function a'],
  ['<?php\n#[A]\nfunction b() {}', '3:10 function b'],
  ['<?php # class A\nclass B {}', '2:7 class B'],
  ['<?php {class A {}', '1:14 class A'],
  ['<?php ; ?><?php class A {}', '1:23 class A'],
  ['<?php\n$a = <<<"A"\nclass B\nA;\nclass C {}', '5:7 class C', '2:2 property a, 5:7 class C'],
]

test.each(rows)('the scanner for PHP reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.php', text)).toBe(outline)
  expect(placedSymbols('a.php', text, 'all')).toBe(all)
})
