import { describe, expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { MetricsPass } from '../summary/metrics.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { semanticFailures } from './semantic.ts'
import { readSemanticRules } from '../expect/rules.ts'
import type { SemanticExpectations } from '../suite/suite.ts'

function traceOf(...calls: object[]): MetricsPass {
  const pass = new MetricsPass()
  const facts = emptyFacts()
  for (const call of calls) {
    factsFromRecord({ result: { ok: true }, ...call }, facts)
    pass.add(facts)
  }
  return pass
}

const echo = { tool: 'cli', op: 'exec', input: { argv: ['/bin/echo', 'one'] } }
const click = {
  tool: 'mcp',
  op: 'tools/call',
  input: { method: 'tools/call', params: { name: 'click' } },
}
const request = { tool: 'http', op: 'request', input: { method: 'GET', url: 'http://x' } }

function codesOf(rules: SemanticExpectations, result: unknown, trace?: MetricsPass): string[] {
  const feedback = (
    typeof result === 'string' ? { ok: true, result } : { ok: true, resultJson: result }
  ) as FeedbackFile
  return semanticFailures(rules, { feedback, trace }).map(({ code }) =>
    code.replace('ZCL_E_EXPECT_SEMANTIC_', ''),
  )
}

describe('semanticFailures of results', () => {
  test.each<[string, SemanticExpectations, unknown, string[]]>([
    ['reports a missing pointer', { requiredJsonPointers: ['/a/b'] }, { a: {} }, ['POINTER']],
    ['accepts null at a required pointer', { requiredJsonPointers: ['/a'] }, { a: null }, []],
    ['reports a blank value', { nonEmptyJsonPointers: ['/a'] }, { a: ' ' }, ['POINTER']],
    ['reports an empty list', { nonEmptyJsonPointers: ['/a'] }, { a: [] }, ['POINTER']],
    [
      'accepts false and 0 as meaningful',
      { nonEmptyJsonPointers: ['/a', '/b'] },
      { a: 0, b: false },
      [],
    ],
    [
      'reports a placeholder in any case',
      { nonEmptyJsonPointers: ['/a'], placeholderValues: ['N/A'] },
      { a: ' n/a ' },
      ['POINTER'],
    ],
    [
      'reports too few meaningful fields',
      { minMeaningfulFields: 2 },
      { a: 'x', b: null, c: '' },
      ['MEANINGFUL'],
    ],
    ['counts fields at every depth', { minMeaningfulFields: 3 }, { a: { b: [1, 2], c: 'x' } }, []],
    ['parses text that contains JSON', { requiredJsonPointers: ['/a'] }, '{"a":1}', []],
  ])('%s', (_name, rules, result, wanted) => {
    expect(codesOf(rules, result, traceOf(echo))).toEqual(wanted)
  })
})

describe('semanticFailures of required calls', () => {
  test.each<[string, SemanticExpectations, string[]]>([
    ['accepts a required operation', { requireToolOps: ['tools/call'] }, []],
    ['reports a missing operation', { requireToolOps: ['initialize'] }, ['TOOL']],
    ['accepts a command by its bare name', { requireCommandPrefix: ['echo one'] }, []],
    ['reports a missing command', { requireCommandPrefix: ['curl'] }, ['TOOL']],
    ['accepts a required MCP tool', { requireMCPTool: ['click'] }, []],
    ['reports a missing MCP tool', { requireMCPTool: ['type'] }, ['TOOL']],
  ])('%s', (_name, rules, wanted) => {
    expect(codesOf(rules, { a: 1 }, traceOf(echo, click))).toEqual(wanted)
  })

  test('reports every required call without a trace', () => {
    const rules = {
      requireToolOps: ['exec'],
      requireCommandPrefix: ['echo'],
      requireMCPTool: ['x'],
    }
    expect(codesOf(rules, { a: 1 })).toEqual(['TOOL', 'TOOL', 'TOOL'])
  })
})

describe('semanticFailures of boilerplate', () => {
  const rules: SemanticExpectations = {
    suspiciousBoilerplate: true,
    boilerplateCommandPrefixes: ['echo'],
    boilerplateMcpTools: ['click'],
  }
  test.each<[string, SemanticExpectations, unknown, MetricsPass | undefined, string[]]>([
    [
      'reports a thin result after boilerplate calls',
      rules,
      { a: 1 },
      traceOf(echo, click),
      ['BOILERPLATE'],
    ],
    ['reports a thin result without calls', rules, { a: 1 }, undefined, ['BOILERPLATE']],
    ['accepts enough fields', rules, { a: 1, b: 2 }, traceOf(echo), []],
    [
      'applies a higher threshold',
      { ...rules, maxMeaningfulFieldsForBoilerplate: 2 },
      { a: 1, b: 2 },
      traceOf(echo),
      ['BOILERPLATE'],
    ],
    [
      'accepts a command that is not boilerplate',
      { ...rules, boilerplateCommandPrefixes: [] },
      {},
      traceOf(echo),
      [],
    ],
    [
      'accepts a tool that is not boilerplate',
      { ...rules, boilerplateMcpTools: [] },
      {},
      traceOf(click),
      [],
    ],
    ['accepts a call at another boundary', rules, {}, traceOf(echo, request), []],
    ['skips the check if it is disabled', {}, {}, traceOf(echo), []],
  ])('%s', (_name, expected, result, trace, wanted) => {
    expect(codesOf(expected, result, trace)).toEqual(wanted)
  })
})

describe('readSemanticRules', () => {
  test('reads default rules, rules by mission, and the rules of a suite', () => {
    const rules = readSemanticRules(
      {
        default: { minMeaningfulFields: 1 },
        missions: { 'My Mission': { minMeaningfulFields: 2 } },
      },
      'r',
    )
    expect(rules('my-mission')).toEqual({ minMeaningfulFields: 2 })
    expect(rules('other')).toEqual({ minMeaningfulFields: 1 })
    const missions = [{ missionId: 'a', expects: { semantic: { minMeaningfulFields: 3 } } }]
    const suite = readSemanticRules({ suiteId: 's', missions }, 'r')
    expect([suite('a'), suite('b')]).toEqual([{ minMeaningfulFields: 3 }, undefined])
  })

  test.each([
    [[]],
    [{ defaults: {} }],
    [{ default: { minMeaningfulFields: -1 } }],
    [{ missions: 1 }],
  ])('refuses %j', (value) => {
    expect(() => readSemanticRules(value, 'rules.yaml')).toThrow(/^rules\.yaml: /)
  })
})
