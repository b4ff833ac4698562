// Exports a comparison as JUnit XML: one test case for the verdict and one per mission. A case
// fails only if it is worse beyond noise; missions that were not compared are skipped.
import { xmlAttributes, escapeXml } from '../../exports/exports.ts'
import type { Comparison } from './compare.ts'
import type { MissionComparison } from './missions.ts'

export function junitOfComparison(comparison: Comparison): string {
  const { suiteId, verdict, missions, notCompared, passRate } = comparison
  const worse = missions.filter(({ level }) => level === 'worse').length
  const counts = {
    name: `zcl compare ${suiteId}`,
    tests: 1 + missions.length + notCompared.length,
    failures: worse + (verdict === 'worse' ? 1 : 0),
    errors: 0,
    skipped: notCompared.length,
  }
  const summary = `${passRate.a} to ${passRate.b}, interval ${passRate.low} to ${passRate.high}, p ${passRate.p}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${xmlAttributes(counts)}>`,
    '    <properties>',
    property('zcl.a', comparison.a.runIds.join(' ')),
    property('zcl.b', comparison.b.runIds.join(' ')),
    property('zcl.verdict', verdict),
    property('zcl.seed', String(comparison.settings.seed)),
    '    </properties>',
    ...testCase(suiteId, 'pass rate over all missions', summary, verdict === 'worse'),
    ...missions.flatMap((mission) =>
      testCase(suiteId, mission.missionId, describeMission(mission), mission.level === 'worse'),
    ),
    ...notCompared.flatMap(({ missionId, reason }) => [
      `    <testcase ${xmlAttributes({ classname: suiteId, name: missionId })}>`,
      `      <skipped ${xmlAttributes({ message: reason })}/>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function describeMission({ a, b, p, pAdjusted }: MissionComparison): string {
  const counts = `${a.rate.passed} of ${a.rate.judged} to ${b.rate.passed} of ${b.rate.judged}`
  return `${counts}, p ${p}, after Holm ${pAdjusted}`
}

function testCase(classname: string, name: string, summary: string, isWorse: boolean): string[] {
  const failure = xmlAttributes({ type: 'ZCL_E_REGRESSION', message: 'worse beyond noise' })
  return [
    `    <testcase ${xmlAttributes({ classname, name })}>`,
    ...(isWorse ? [`      <failure ${failure}>${escapeXml(summary)}</failure>`] : []),
    `      <system-out>${escapeXml(summary)}</system-out>`,
    '    </testcase>',
  ]
}

function property(name: string, value: string): string {
  return `      <property ${xmlAttributes({ name, value })}/>`
}
