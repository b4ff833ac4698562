// Exports a comparison as JUnit XML: one test case per verdict and one per mission. A case fails
// only if it is worse, the gate case if the gate stops; missions that were not compared are skipped.
import { xmlAttributes, escapeXml } from '../../exports/exports.ts'
import type { Comparison } from './compare.ts'
import type { MissionComparison } from './missions.ts'
import { verdictText } from './words.ts'

export function junitOfComparison(comparison: Comparison): string {
  const { suiteId, onTheseMissions, onMissionsLikeThese, missions, notCompared, gate } = comparison
  const { alpha, seed } = comparison.settings
  const verdicts = [onTheseMissions, onMissionsLikeThese]
  const cases = [
    ...verdicts.map((each) => ({
      name: each.name,
      summary: verdictText(each, alpha),
      isWorse: each.verdict === 'worse',
    })),
    ...(gate === null
      ? []
      : [{ name: 'gate', summary: gate.reasons.join('; ') || 'passed', isWorse: gate.failed }]),
    ...missions.map((mission) => ({
      name: mission.missionId,
      summary: describeMission(mission),
      isWorse: mission.level === 'worse',
    })),
  ]
  const counts = {
    name: `zcl compare ${suiteId}`,
    tests: cases.length + notCompared.length,
    failures: cases.filter(({ isWorse }) => isWorse).length,
    errors: 0,
    skipped: notCompared.length,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${xmlAttributes(counts)}>`,
    '    <properties>',
    property('zcl.a', comparison.a.runIds.join(' ')),
    property('zcl.b', comparison.b.runIds.join(' ')),
    property('zcl.verdict', onTheseMissions.verdict),
    property('zcl.seed', String(seed)),
    '    </properties>',
    ...cases.flatMap(({ name, summary, isWorse }) => testCase(suiteId, name, summary, isWorse)),
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
  const failure = xmlAttributes({ type: 'ZCL_E_REGRESSION', message: 'worse' })
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
