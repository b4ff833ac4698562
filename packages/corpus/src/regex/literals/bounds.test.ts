// Patterns and the texts that the index looks up for them: `a & (b | c)`, with `~` before case-insensitive texts.
import { expect, test } from 'vitest'
import { parseRegex } from '../parse/parse.ts'
import { literalPlan } from './literals.ts'
import type { LiteralPlan } from './literals.ts'

function written(plan: LiteralPlan): string {
  if (plan.kind === 'everything') return '*'
  if (plan.kind === 'literal') {
    return (plan.ignoreCase ? '~' : '') + Buffer.from(plan.text).toString()
  }
  return `(${plan.of.map(written).join(plan.kind === 'all' ? ' & ' : ' | ')})`
}

test.each([
  ['xx[1-8]', '(xx1 | xx2 | xx3 | xx4 | xx5 | xx6 | xx7 | xx8)'],
  ['xx[1-9]', '*'],
  ['xx[12345678]', '(xx1 | xx2 | xx3 | xx4 | xx5 | xx6 | xx7 | xx8)'],
  ['xx[123456789]', '*'],
  ['xx[^1]', '*'],
  ['xx\\d', '*'],
  ['xx[\\d]', '*'],
  ['a\u{e000}b', 'a\u{e000}b'],
  ['a[\u{d7ff}\u{e000}]b', '(a\u{d7ff}b | a\u{e000}b)'],
  ['abc\u{fffd}bcd', '(abc & bcd)'],
  ['ab[\u{fffc}a]', '(ab\u{fffc} | aba)'],
  [
    'xx[1-8][1-4]',
    '(xx11 | xx12 | xx13 | xx14 | xx21 | xx22 | xx23 | xx24 | xx31 | xx32 | xx33 | xx34 | xx41 | xx42 | xx43 | xx44 | xx51 | xx52 | xx53 | xx54 | xx61 | xx62 | xx63 | xx64 | xx71 | xx72 | xx73 | xx74 | xx81 | xx82 | xx83 | xx84)',
  ],
  ['xx[1-8][1-5]', '(xx1 | xx2 | xx3 | xx4 | xx5 | xx6 | xx7 | xx8)'],
  [
    'xx[1-8][1-5]yy',
    '((xx1 | xx2 | xx3 | xx4 | xx5 | xx6 | xx7 | xx8) & (1yy | 2yy | 3yy | 4yy | 5yy))',
  ],
  ['(?:ab0|ab1|ab2|ab3)', '(ab0 | ab1 | ab2 | ab3)'],
  ['a{64}', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['a{65}', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['a{64}b', '(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa & aaaab)'],
  [
    'baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa[xy]',
    '(baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa & (aaaax | aaaay))',
  ],
  ['a{3}', 'aaa'],
  ['a{2}', '*'],
  ['a{3,}', 'aaa'],
  ['a{3,4}', 'aaa'],
  ['(?:abc){0}', '*'],
  ['(?:abc){2}', 'abcabc'],
  ['(?:abc){2,}', 'abcabc'],
  ['(?:abc){1,2}', 'abc'],
  ['(?:abc)?', '*'],
  ['(?:abc)?def', 'def'],
  ['(?:abc)+x', 'abcx'],
  ['(?:abc)*xyz', 'xyz'],
  ['x(?:abc)+', 'xabc'],
  ['(?:ab.)+', '*'],
  ['(?:ab.cde)+', 'cde'],
  ['(?i)abc', '~abc'],
  ['[Aa]bc', '~abc'],
  [
    '(?i)kilo',
    '(~kilo | ~k\u{130}lo | ~k\u{131}lo | ~\u{212a}ilo | ~\u{212a}\u{130}lo | ~\u{212a}\u{131}lo)',
  ],
  [
    '(?i)misc',
    '(~misc | ~mi\u{17f}c | ~m\u{130}sc | ~m\u{130}\u{17f}c | ~m\u{131}sc | ~m\u{131}\u{17f}c)',
  ],
  ['abC[Dd]EF', '~abcdef'],
  ['abc(?=def)', 'abc'],
  ['abc(?!def)', 'abc'],
  ['(abc)\\1def', '(abc & def)'],
  ['(abc)?(?(1)defg|hijk)', '(defg | hijk)'],
  ['(?>abc)def', 'abcdef'],
  ['^abc$', 'abc'],
  ['\\babc\\b', 'abc'],
  ['abc.def.ghi', '(abc & def & ghi)'],
  ['abc.abcd', 'abcd'],
  ['abcd.abc', 'abcd'],
  ['ab.cde|fg.hij', '(cde | hij)'],
  ['ab|cde', '*'],
  ['abc|abcd', 'abc'],
  ['abcd|abc', 'abc'],
  ['abc|abc', 'abc'],
  ['(?:abc|def)(?:ghi|jkl)', '(abcghi | abcjkl | defghi | defjkl)'],
  ['.*abc.*', 'abc'],
  ['a.b.c', '*'],
  ['ab.c', '*'],
  ['abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz', 'abcdefghijklmnopqrstuvwxyz'],
  [
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz.x',
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  ],
  ['(?:abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz|x)y', '*'],
  [
    'waz.wbzy.wczyy.wdzyyy.wezyyyy.wfz.wgzy.whzyy.wizyyy.wjzyyyy.wkz.wlzy.wmzyy.wnzyyy.wozyyyy.wpz.wqzy.wrzyy',
    '(wezyyyy & wjzyyyy & wozyyyy & wdzyyy & wizyyy & wnzyyy & wczyy & whzyy & wmzyy)',
  ],
  ['\\.\\*\\+', '.*+'],
  ['(?:)', '*'],
  [
    '[abc][abc][abc]',
    '(aaa | aab | aac | aba | abb | abc | aca | acb | acc | baa | bab | bac | bba | bbb | bbc | bca | bcb | bcc | caa | cab | cac | cba | cbb | cbc | cca | ccb | ccc)',
  ],
  [
    '[ab][ab][ab][ab][ab]',
    '(aaaaa | aaaab | aaaba | aaabb | aabaa | aabab | aabba | aabbb | abaaa | abaab | ababa | ababb | abbaa | abbab | abbba | abbbb | baaaa | baaab | baaba | baabb | babaa | babab | babba | babbb | bbaaa | bbaab | bbaba | bbabb | bbbaa | bbbab | bbbba | bbbbb)',
  ],
  [
    '[ab][ab][ab][ab][ab][ab]',
    '(aaaaa | aaaab | aaaba | aaabb | aabaa | aabab | aabba | aabbb | abaaa | abaab | ababa | ababb | abbaa | abbab | abbba | abbbb | baaaa | baaab | baaba | baabb | babaa | babab | babba | babbb | bbaaa | bbaab | bbaba | bbabb | bbbaa | bbbab | bbbba | bbbbb)',
  ],
  ['(?:abc|.)d', '*'],
  ['x(?:ab|cd)y', '(xaby | xcdy)'],
  ['x(?:ab|.)yzw', 'yzw'],
  ['(?:abc.d|efg.h)', '(abc | efg)'],
  ['(?:abc.def|ghi.jkl)', '((abc | ghi) & (def | jkl))'],
  ['(?:abc.d|e)fgh', '((dfg | efg) & (dfgh | efgh))'],
])('the plan of %s is %s', (pattern, plan) => {
  expect(written(literalPlan(parseRegex(pattern)))).toBe(plan)
})
