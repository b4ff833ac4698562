import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { examOf, gradersOf, normaliseSuite, parseSuite } from './suite.ts'

const yaml = async () => (text: string) => ({
  value: parse(text) as unknown,
  lineOf: () => 3,
})

/** The code and message that refuse a suite with this part; undefined if the suite is accepted. */
function refusal(part: object): Promise<string | undefined> {
  const text = JSON.stringify({ suiteId: 's', missions: [{ missionId: 'm' }], ...part })
  return messageOf(text, 's.json')
}

async function messageOf(text: string, name: string): Promise<string | undefined> {
  try {
    await parseSuite(text, name, yaml, '/nowhere')
    return undefined
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code} ${message}`
  }
}

const expects = (part: object) => ({ missions: [{ missionId: 'm', expects: part }] })
const semantic = (part: object) => expects({ semantic: part })
const judge = (part: object) => ({ judge: { provider: 'p', model: 'm', rubric: 'r', ...part } })

test.each<[object, string | undefined]>([
  [{}, undefined],
  [
    { missions: [] },
    'ZCL_E_CONTRACT s.json:3: missions must be a list of at least 1 objects or an object (got an empty list)',
  ],
  [{ missions: [{}] }, 'ZCL_E_CONTRACT s.json:3: missions.0.missionId is missing; it must be text'],
  [
    { missions: [{ missionId: 'a' }, { missionId: 'A' }] },
    'ZCL_E_CONTRACT s.json: duplicate missionId a',
  ],
  [{ missions: [{ missionId: '--' }] }, 'ZCL_E_CONTRACT s.json: missionId has no usable character'],
  [{ suiteId: '' }, 'ZCL_E_CONTRACT s.json: suiteId has no usable character'],
  [{ suiteId: 5 }, 'ZCL_E_CONTRACT s.json:3: suiteId must be text (got 5)'],
  [{ version: 1 }, undefined],
  [{ version: 2 }, 'ZCL_E_SCHEMA_UNSUPPORTED s.json:3: version must be 1 (got 2)'],
  [{ defaults: { timeoutMs: 1 } }, undefined],
  [
    { defaults: { timeoutMs: 0 } },
    'ZCL_E_CONTRACT s.json:3: defaults.timeoutMs must be a whole number above 0 (got 0)',
  ],
  [
    { defaults: { timeoutStart: 'x' } },
    'ZCL_E_CONTRACT s.json:3: defaults.timeoutStart must be one of "attempt_start", "first_tool_call" (got "x")',
  ],
  [
    { defaults: { mode: 'x' } },
    'ZCL_E_CONTRACT s.json:3: defaults.mode must be one of "discovery", "ci" (got "x")',
  ],
  [
    { defaults: { feedbackPolicy: 'x' } },
    'ZCL_E_CONTRACT s.json:3: defaults.feedbackPolicy must be one of "strict", "auto_fail" (got "x")',
  ],
  [{ defaults: { feedbackPolicy: 'strict' } }, undefined],
  [{ defaults: { feedbackPolicy: 'auto_fail' } }, undefined],
  [
    { defaults: { blindTerms: 'x' } },
    'ZCL_E_CONTRACT s.json:3: defaults.blindTerms must be a list of text (got "x")',
  ],
  [
    { missions: [{ missionId: 'm', timeoutMs: 0 }] },
    'ZCL_E_CONTRACT s.json:3: missions.0.timeoutMs must be a whole number above 0 (got 0)',
  ],
  [{ missions: [{ missionId: 'm', timeoutMs: 1 }] }, undefined],
  [
    { missions: [{ missionId: 'm', tags: 'x' }] },
    'ZCL_E_CONTRACT s.json:3: missions.0.tags must be a list of text (got "x")',
  ],
  [
    expects({ result: { type: 'text' } }),
    'ZCL_E_CONTRACT s.json:3: missions.0.expects.result.type must be one of "string", "json" (got "text")',
  ],
  [expects({ result: { type: 'string' } }), undefined],
  [
    expects({ result: { type: 'string', requiredJsonPointers: [] } }),
    'ZCL_E_CONTRACT s.json: m: expects.result.requiredJsonPointers needs type "json"',
  ],
  [expects({ result: { type: 'json', requiredJsonPointers: ['/a~0/b~1', ''] } }), undefined],
  [
    expects({ result: { type: 'json', requiredJsonPointers: ['a'] } }),
    'ZCL_E_CONTRACT s.json:3: missions.0.expects.result.requiredJsonPointers.0 must be a JSON pointer such as /a/b (got "a")',
  ],
  [
    expects({ result: { type: 'json', requiredJsonPointers: ['/a~2'] } }),
    'ZCL_E_CONTRACT s.json:3: missions.0.expects.result.requiredJsonPointers.0 must be a JSON pointer such as /a/b (got "/a~2")',
  ],
  [expects({ trace: { maxToolCallsTotal: 0, maxFailuresTotal: 0 } }), undefined],
  [
    expects({ trace: { maxToolCallsTotal: -1 } }),
    'ZCL_E_CONTRACT s.json:3: missions.0.expects.trace.maxToolCallsTotal must be a whole number of at least 0 (got -1)',
  ],
  [
    semantic({ hookTimeoutMs: 1, minMeaningfulFields: 0, placeholderValues: [null, 'x', 1, true] }),
    undefined,
  ],
  [
    semantic({ hookTimeoutMs: 0 }),
    'ZCL_E_CONTRACT s.json:3: missions.0.expects.semantic.hookTimeoutMs must be a whole number above 0 (got 0)',
  ],
  [judge({ votes: 1 }), undefined],
  [judge({ votes: 25 }), undefined],
  [
    judge({ votes: 0 }),
    'ZCL_E_CONTRACT s.json:3: judge.votes must be a whole number from 1 to 25 (got 0)',
  ],
  [
    judge({ votes: 26 }),
    'ZCL_E_CONTRACT s.json:3: judge.votes must be a whole number from 1 to 25 (got 26)',
  ],
  [
    judge({ model: '' }),
    'ZCL_E_CONTRACT s.json:3: judge.model must be text that is not empty (got "")',
  ],
  [
    judge({ timeoutMs: 0 }),
    'ZCL_E_CONTRACT s.json:3: judge.timeoutMs must be a whole number above 0 (got 0)',
  ],
  [judge({ timeoutMs: 1 }), undefined],
  [
    { workspace: { path: '' } },
    'ZCL_E_CONTRACT s.json:3: workspace.path must be text that is not empty (got "")',
  ],
  [
    { workspace: { path: 'a', retain: 'x' } },
    'ZCL_E_CONTRACT s.json:3: workspace.retain must be one of "always", "on_failure", "never" (got "x")',
  ],
  [
    { workspace: { maxBytes: 0 } },
    'ZCL_E_CONTRACT s.json:3: workspace.maxBytes must be a whole number above 0 (got 0)',
  ],
  [{ workspace: { maxBytes: 1 } }, undefined],
  [
    { verify: [{ command: '' }] },
    'ZCL_E_CONTRACT s.json:3: verify.0.command must be text that is not empty or a list of at least 1 text (got "")',
  ],
  [
    { verify: [{ command: [] }] },
    'ZCL_E_CONTRACT s.json:3: verify.0.command must be text that is not empty or a list of at least 1 text (got an empty list)',
  ],
  [{ verify: [{ command: ['a'], files: { a: 'b' } }] }, undefined],
  [
    { verify: [{ command: 'a', files: [''] }] },
    'ZCL_E_CONTRACT s.json:3: verify.0.files.0 must be text that is not empty (got "")',
  ],
  [{ score: { fileHash: { path: 'a', sha256: `sha256:${'aF'.repeat(32)}` } } }, undefined],
  [
    { score: { fileHash: { path: 'a', sha256: 'a'.repeat(63) } } },
    'ZCL_E_CONTRACT s.json:3: score.fileHash.sha256 must be a SHA-256 of 64 hexadecimal digits (got "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…")',
  ],
  [
    { score: { contains: [] } },
    'ZCL_E_CONTRACT s.json:3: score.contains must be text that is not empty or a list of at least 1 text (got an empty list)',
  ],
  [{ score: { contains: ['a'] } }, undefined],
  [
    { score: { regex: '' } },
    'ZCL_E_CONTRACT s.json:3: score.regex must be text that is not empty (got "")',
  ],
  [{ score: { tolerance: { value: 1, within: 0, relative: 0 } } }, undefined],
  [
    { score: { tolerance: { value: 1, within: -0.1 } } },
    'ZCL_E_CONTRACT s.json:3: score.tolerance.within must be a number of at least 0 (got -0.1)',
  ],
  [
    { score: { tolerance: { value: 1, relative: -0.1 } } },
    'ZCL_E_CONTRACT s.json:3: score.tolerance.relative must be a number of at least 0 (got -0.1)',
  ],
  [
    { score: { tolerance: { within: 1 } } },
    'ZCL_E_CONTRACT s.json:3: score.tolerance.value is missing; it must be a number',
  ],
  [{ score: { x: 1 } }, 'ZCL_E_CONTRACT s.json:3: unknown key score.x (did you mean exact?)'],
  [
    { isolation: 'container', container: { image: 'a', engine: 'x' } },
    'ZCL_E_CONTRACT s.json:3: container.engine must be one of "docker", "podman" (got "x")',
  ],
  [
    { isolation: 'container', container: { image: '' } },
    'ZCL_E_CONTRACT s.json:3: container.image must be text that is not empty (got "")',
  ],
  [
    { network: 'x' },
    'ZCL_E_CONTRACT s.json:3: network must be one of "host", "none", "loopback", "funnel-only" (got "x")',
  ],
  [
    { funnels: [{ upstream: '', env: 'A' }] },
    'ZCL_E_CONTRACT s.json:3: funnels.0.upstream must be text that is not empty (got "")',
  ],
  [
    { funnels: [{ upstream: 'http://a', env: '1A' }] },
    'ZCL_E_CONTRACT s.json:3: funnels.0.env must be the name of a variable (got "1A")',
  ],
  [
    { funnels: [{ upstream: 'http://a', env: 'A', protocol: 'x' }] },
    'ZCL_E_CONTRACT s.json:3: funnels.0.protocol must be one of "http", "mcp" (got "x")',
  ],
  [{ runner: {} }, 'ZCL_E_CONTRACT s.json: runner needs either preset or command'],
  [
    { defaults: { runner: { preset: 'zdx', command: ['a'] } } },
    'ZCL_E_CONTRACT s.json: runner needs either preset or command',
  ],
  [
    { runner: { command: [] } },
    'ZCL_E_CONTRACT s.json:3: runner.command must be a list of at least 1 text (got an empty list)',
  ],
  [
    { runner: { preset: 'x' } },
    'ZCL_E_CONTRACT s.json:3: runner.preset must be one of "claude", "codex", "gemini", "opencode", "pi", "zdx", "codex_app_server" (got "x")',
  ],
  [
    { runner: { type: 'x' } },
    'ZCL_E_CONTRACT s.json:3: runner.type must be one of "process_cmd", "codex_app_server" (got "x")',
  ],
  [{ runner: { type: 'process_cmd', command: ['a'] } }, undefined],
  [{ runner: { type: 'codex_app_server', minStartIntervalMs: 1 } }, undefined],
  [
    { runner: { type: 'codex_app_server', minStartIntervalMs: 0 } },
    'ZCL_E_CONTRACT s.json:3: runner.minStartIntervalMs must be a whole number above 0 (got 0)',
  ],
  [
    { runner: { type: 'codex_app_server', model: '' } },
    'ZCL_E_CONTRACT s.json:3: runner.model must be text that is not empty (got "")',
  ],
  [{ missions: { from: 5 } }, 'ZCL_E_CONTRACT s.json: missions.from must be a file or a folder'],
  [
    { missions: { from: 'none', mapp: {} } },
    'ZCL_E_CONTRACT s.json:3: unknown key missions.mapp (did you mean map?)',
  ],
  [
    { missions: [{ missionId: 'm', isolation: 'container' }] },
    'ZCL_E_CONTRACT s.json: m: isolation: container needs container: {image}',
  ],
  [
    { 'x-any': 1, missoins: 1 },
    'ZCL_E_CONTRACT s.json:3: unknown key missoins (did you mean missions?)',
  ],
])('parseSuite answers %j', async (part, message) => {
  expect(await refusal(part)).toEqual(message)
})

test.each<[string, string, string | undefined]>([
  [
    '{',
    's.json',
    'ZCL_E_INVALID_JSON s.json is not JSON: a character is out of place at position 1',
  ],
  ['\uFEFF{"suiteId":"s","missions":[{"missionId":"m"}]}', 's.JSON', undefined],
  ['[]', 's.json', 'ZCL_E_CONTRACT s.json: the suite must be an object'],
  [
    'suiteId: [',
    's.yaml',
    'ZCL_E_INVALID_JSON s.yaml is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 11: suiteId: [ ^',
  ],
  ['5', 's.yaml', 'ZCL_E_CONTRACT s.yaml: the suite must be an object'],
  [
    'missions: [{missionId: m}]',
    's.yml',
    'ZCL_E_CONTRACT s.yml:3: suiteId is missing; it must be text',
  ],
])('parseSuite answers the text %j of %s', async (text, name, message) => {
  const answer = await messageOf(text, name)
  expect(answer?.split('\n')[0]).toEqual(message)
})

test.each<[unknown, string | undefined]>([
  [5, 'ZCL_E_CONTRACT s: the suite must be an object'],
  [{}, 'ZCL_E_CONTRACT s: suiteId is not valid'],
  [
    { suiteId: 's', version: 3, missions: [{ missionId: 'm' }] },
    'ZCL_E_SCHEMA_UNSUPPORTED s: version must be 1',
  ],
  [
    { suiteId: 's', missions: [{ missionId: 'm', timeoutMs: 0 }] },
    'ZCL_E_CONTRACT s: missions.0.timeoutMs is not valid',
  ],
  [
    { suiteId: 's', missions: [{ missionId: 'm', isolation: 'x' }] },
    'ZCL_E_CONTRACT s: missions.0.isolation must be one of none, namespace, container',
  ],
  [
    { suiteId: 's', missions: [{ missionId: 'm', network: 'none' }] },
    'ZCL_E_CONTRACT s: m: network: none needs isolation: namespace or container',
  ],
])('normaliseSuite answers %j', (value, message) => {
  let answer: string | undefined
  try {
    normaliseSuite(value, 's')
  } catch (error) {
    const { code, message: text } = error as { code: string; message: string }
    answer = `${code} ${text}`
  }
  expect(answer).toEqual(message)
})

test('normaliseSuite makes kebab ids and sorts the keys', () => {
  const suite = { version: 1, suiteId: 'A b', missions: [{ prompt: 'p', missionId: 'C_d' }] }
  expect(JSON.stringify(normaliseSuite(suite, 's'))).toBe(
    '{"missions":[{"missionId":"c-d","prompt":"p"}],"suiteId":"a-b","version":1}',
  )
})

test('gradersOf has what decides about an answer', () => {
  const suite = normaliseSuite(
    {
      suiteId: 's',
      score: { exact: 1 },
      missions: [{ missionId: 'm', verify: [{ command: 'true' }] }, { missionId: 'n' }],
    },
    's',
  )
  expect(gradersOf(suite, 'm')).toEqual({ verify: [{ command: 'true' }], score: { exact: 1 } })
  expect(gradersOf(suite, 'n')).toEqual({ score: { exact: 1 } })
  expect(gradersOf(undefined, 'n')).toBeUndefined()
  const { score: _, ...bare } = suite
  expect(gradersOf(bare, 'n')).toBeUndefined()
  expect(examOf(bare, 'n')).toEqual({})
})
