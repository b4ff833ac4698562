// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['function a {\n}', '1:10 function a'],
  ['function a() {\n}', '1:10 function a'],
  ['function a\n{', '1:10 function a'],
  ['a() { :; }', '1:1 function a'],
  ['a-b () {\n}', '1:1 function a-b'],
  ['a ( )\n{\n}', '1:1 function a'],
  ['# a() {\nb() {', '2:1 function b'],
  ['x#a; b() {', '1:6 function b'],
  ["'a() {'; b() {", '1:10 function b'],
  ['"a() {"; b() {', '1:10 function b'],
  ['"a\\"; b() {"; c() {', '1:15 function c'],
  ["'a\\'; b() {", '1:7 function b'],
  ['a\\"; b() {', '1:6 function b'],
  ['cat <<EOF\na() {\nEOF\nb() {', '4:1 function b'],
  ["cat <<'EOF'\na() {\nEOF\nb() {", '4:1 function b'],
  ['cat <<-EOF\na() {\n\tEOF\nb() {', '4:1 function b'],
  ['cat << EOF\na() {\nEOF\nb() {', '4:1 function b'],
  ['cat <<< EOF\na() {\nEOF\nb() {', '2:1 function a, 4:1 function b'],
  ['case x in a) b() { :; };; esac', ''],
  ['x=$(a) b() {', ''],
  ['alias a=b', '', '1:7 alias a'],
  ['alias -g a=b', '', '1:10 alias a'],
  ['a && b() {', '1:6 function b'],
  ['a | b() {', '1:5 function b'],
  ['{ a() {', '1:3 function a'],
  ['} a() {', '1:3 function a'],
  ['; a() {', '1:3 function a'],
  ['& a() {', '1:3 function a'],
  ['a b() {', ''],
  ['$a() {', ''],
  ['function a-b { }\nfunction c.d() { }', '1:10 function a-b, 2:10 function c.d'],
  ['a(b) {', ''],
  ['a()', '1:1 function a'],
  ['()', ''],
  ['class A\nstruct B\nfunc c\ndef d\ntype e\ninterface f\nenum G', ''],
  ['a(  \t) {', '1:1 function a'],
  ['(#a() {\n)', ''],
  ['$(#a\nb() {', '2:1 function b'],
  ['${a#b}; c() {', '1:9 function c'],
  ['a;#b() {\nc() {', '2:1 function c'],
  ['|#a() {\n', ''],
  ['&#a() {\n', ''],
  ['a(\t)\n\tb\t()', '1:1 function a, 2:2 function b'],
  ['cat <<EOF\nEOFX\n xEOF\n  EOF\na() {', '5:1 function a'],
  ['<<A <<B\na() {\nA\nb() {\nB\nc() {', '6:1 function c'],
  ['é() {', '1:1 function é'],
  ['function é {', '1:10 function é'],
]

test.each(rows)('the scanner for shell reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.sh', text)).toBe(outline)
  expect(placedSymbols('a.sh', text, 'all')).toBe(all)
})
