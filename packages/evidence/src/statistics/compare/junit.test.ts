import { describe, expect, it } from 'vitest'
import type { Comparison } from './compare.ts'
import { junitOfComparison } from './junit.ts'

const nothing = { reason: 'no judged attempts', difference: null }
const side = (passed: number) => ({ rate: { passed, judged: 4 } })

const comparison = {
  suiteId: 'smoke',
  a: { runIds: ['r1', 'r2'] },
  b: { runIds: ['r3'] },
  onTheseMissions: { name: 'on these missions', verdict: 'worse', ...nothing },
  onMissionsLikeThese: { name: 'on missions like these', verdict: 'undecided', ...nothing },
  missions: [
    { missionId: 'a<b', level: 'worse', a: side(4), b: side(0), p: 0.03, pAdjusted: 0.06 },
    { missionId: 'c', level: 'better', a: side(1), b: side(2), p: 1, pAdjusted: 1 },
  ],
  notCompared: [{ missionId: 'gone', reason: 'only_in_a' }],
  gate: null,
  settings: { alpha: 0.05, seed: 7 },
} as unknown as Comparison

describe('junitOfComparison', () => {
  it('has a case for each verdict and mission, and skips missions that were not compared', () => {
    expect(junitOfComparison(comparison).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites>',
      '  <testsuite name="zcl compare smoke" tests="5" failures="2" errors="0" skipped="1">',
      '    <properties>',
      '      <property name="zcl.a" value="r1 r2"/>',
      '      <property name="zcl.b" value="r3"/>',
      '      <property name="zcl.verdict" value="worse"/>',
      '      <property name="zcl.seed" value="7"/>',
      '    </properties>',
      '    <testcase classname="smoke" name="on these missions">',
      '      <failure type="ZCL_E_REGRESSION" message="worse">on these missions: worse, no judged attempts</failure>',
      '      <system-out>on these missions: worse, no judged attempts</system-out>',
      '    </testcase>',
      '    <testcase classname="smoke" name="on missions like these">',
      '      <system-out>on missions like these: undecided, no judged attempts</system-out>',
      '    </testcase>',
      '    <testcase classname="smoke" name="a&lt;b">',
      '      <failure type="ZCL_E_REGRESSION" message="worse">4 of 4 to 0 of 4, p 0.03, after Holm 0.06</failure>',
      '      <system-out>4 of 4 to 0 of 4, p 0.03, after Holm 0.06</system-out>',
      '    </testcase>',
      '    <testcase classname="smoke" name="c">',
      '      <system-out>1 of 4 to 2 of 4, p 1, after Holm 1</system-out>',
      '    </testcase>',
      '    <testcase classname="smoke" name="gone">',
      '      <skipped message="only_in_a"/>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ])
  })

  it.each([
    [true, ['one', 'two'], 'tests="6" failures="3"', 'one; two'],
    [false, [], 'tests="6" failures="2"', 'passed'],
  ])('has a case of a gate that failed: %s', (failed, reasons, counts, summary) => {
    const gate = { failOn: 'worse' as const, maxInfra: 0.1, failed, reasons }
    const lines = junitOfComparison({ ...comparison, gate }).split('\n')
    const at = lines.indexOf('    <testcase classname="smoke" name="gate">')
    const failure = `      <failure type="ZCL_E_REGRESSION" message="worse">${summary}</failure>`
    const expected = [...(failed ? [failure] : []), `      <system-out>${summary}</system-out>`]
    expect(lines.slice(at + 1, at + 1 + expected.length)).toEqual(expected)
    expect(lines[2]).toBe(`  <testsuite name="zcl compare smoke" ${counts} errors="0" skipped="1">`)
  })
})
