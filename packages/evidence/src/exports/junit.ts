// Exports JUnit XML for CI, one test case per attempt. A failed mission is a failure. An
// infrastructure failure or a missing outcome is an error. An abandoned or superseded try is
// skipped, because another try counts.
import { asText } from '../json/json.ts'
import { isProtocolEvent } from '../events/events.ts'
import { epochMs, type ExportAttempt, type ExportSource } from './source.ts'

export async function* junitText(source: ExportSource): AsyncGenerator<string> {
  const cases: TestCase[] = []
  for (const attempt of source.attempts) cases.push(await testCase(attempt))
  const count = (kind: TestCase['kind']) => cases.filter((each) => each.kind === kind).length
  const attributes = xmlAttributes({
    name: source.suiteId,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  })
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  yield `  <testsuite ${attributes}>\n`
  yield `    <properties>\n${property('zcl.runId', source.runId)}    </properties>\n`
  for (const { xml } of cases) yield xml
  yield '  </testsuite>\n</testsuites>\n'
}

interface TestCase {
  kind: 'passed' | 'failure' | 'error' | 'skipped'
  ms: number
  xml: string
}

async function testCase(attempt: ExportAttempt): Promise<TestCase> {
  const { feedback } = attempt
  const calls = { total: 0, failed: 0 }
  for await (const event of attempt.events()) {
    if (isProtocolEvent(event)) continue
    calls.total++
    if (!event.ok) calls.failed++
  }
  const started = epochMs(attempt.attempt.startedAt)
  const ended = epochMs(feedback?.createdAt)
  const ms = started === undefined || ended === undefined ? 0 : Math.max(0, ended - started)
  const kind = kindOf(attempt, calls.total > 0)
  const attributes = xmlAttributes({
    classname: asText(attempt.attempt.suiteId),
    name: `${asText(attempt.attempt.missionId)} (${attempt.attemptId})`,
    time: seconds(ms),
  })
  const output = `${calls.total} calls, ${calls.failed} failed`
  const xml = [
    `    <testcase ${attributes}>`,
    ...(kind === 'passed' ? [] : [`      ${problem(kind, attempt)}`]),
    `      <system-out>${escapeXml(output)}</system-out>`,
    '    </testcase>',
  ]
  return { kind, ms, xml: `${xml.join('\n')}\n` }
}

function kindOf(each: ExportAttempt, hasActed: boolean): TestCase['kind'] {
  const { attempt, feedback, outcome } = each
  if (each.isSuperseded || outcome?.outcome === 'abandoned') return 'skipped'
  if (feedback === undefined || outcome?.outcome === 'infra') return 'error'
  if (feedback.ok !== true || outcome?.outcome === 'failed') return 'failure'
  return hasActed || attempt.allowUnproven === true ? 'passed' : 'failure'
}

function problem(
  kind: 'failure' | 'error' | 'skipped',
  { feedback, outcome, isSuperseded }: ExportAttempt,
): string {
  const why = isSuperseded ? 'superseded by another try' : asText(outcome?.message)
  if (kind === 'skipped') return `<skipped ${xmlAttributes({ message: why })}/>`
  if (kind === 'error') {
    const type = asText(outcome?.code) || 'missing_evidence'
    return `<error ${xmlAttributes({ type, message: why || 'there is no feedback' })}/>`
  }
  const tags = Array.isArray(feedback?.decisionTags)
    ? feedback.decisionTags.filter((tag) => typeof tag === 'string').join(', ')
    : ''
  const type = asText(feedback?.classification) || 'blocked'
  const result =
    typeof feedback?.result === 'string'
      ? feedback.result
      : JSON.stringify(feedback?.resultJson ?? null)
  const isUnproven = feedback?.ok === true && (outcome === undefined || why.startsWith('unproven'))
  const message = isUnproven ? 'unproven' : tags === '' ? 'the mission was not accomplished' : tags
  return `<failure ${xmlAttributes({ type, message })}>${escapeXml(result)}</failure>`
}

function property(name: string, value: string): string {
  return `      <property ${xmlAttributes({ name, value })}/>\n`
}

/** `name="value"` pairs, escaped. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** The text with XML entities; characters that XML forbids become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\n\r\t]/g, (character) => entities[character] ?? character)
    .replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
