import { expect, it } from 'vitest'
import { callRecord, exportAttempt, exportSource, start, textOf } from '../../test/export-source.ts'
import { atifText } from './atif.ts'
import { csvField, csvText } from './csv.ts'
import { jsonlText } from './jsonl.ts'

const failed = callRecord({
  tool: 'mcp',
  op: 'tools/call',
  input: { method: 'tools/call', params: { name: 'read', arguments: { path: 'a' } } },
  result: { ok: false, code: 'E', durationMs: 20 },
  io: { outBytes: 1, errBytes: 2, outPreview: 'o', errPreview: 'e' },
  integrity: { truncated: true },
})

it.each([
  [undefined, ''],
  ['', ''],
  ['plain', 'plain'],
  [5, '5'],
  [-5, '-5'],
  [false, 'false'],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\ta', "'\ta"],
  ['\ra', '"\'\ra"'],
  ['a=1', 'a=1'],
  ['=1,2', '"\'=1,2"'],
])('the CSV field of %j is %j', (cell, field) => {
  expect(csvField(cell)).toBe(field)
})

it('a CSV export has one row per call', async () => {
  const source = exportSource(exportAttempt({}, [callRecord({}), failed]))
  expect((await textOf(csvText(source))).split('\n')).toEqual([
    'runId,suiteId,missionId,attemptId,index,ts,tool,op,ok,code,exitCode,durationMs,outBytes,errBytes,truncated,input',
    `r,s,m,001-m-r1,0,${start},cli,exec,true,,0,1000,3,0,false,"{""argv"":[""/bin/ls"",""-l""]}"`,
    `r,s,m,001-m-r1,1,${start},mcp,tools/call,false,E,,20,1,2,true,"{""method"":""tools/call"",""params"":{""arguments"":{""path"":""a""},""name"":""read""}}"`,
    '',
  ])
})

it('a JSONL export has the records of all attempts unchanged', async () => {
  const records = [callRecord({ other: 1 }), failed]
  const source = exportSource(...records.map((record) => exportAttempt({}, [record])))
  const lines = (await textOf(jsonlText(source))).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records)
})

const message = (text: string, more: object = {}) => ({
  ...{ ts: start, role: 'assistant' as const, kind: 'text' as const, text, ...more },
})

it('an ATIF export of an attempt has the prompt, the messages around the calls, and the outcome', async () => {
  const messages = [
    message('before', { ts: '' }),
    message('hidden', { kind: 'thinking', afterCalls: 1 }),
    message('note', { role: 'system', afterCalls: 2 }),
  ]
  const attempt = exportAttempt(
    {
      ...{ prompt: 'go', messages, feedback: { ok: true, result: 'done', createdAt: start } },
      runnerMetrics: {
        ...{ runner: 'codex', model: 'x', inputTokens: 5, outputTokens: 4 },
        ...{ cachedInputTokens: 3, cacheWriteTokens: 2 },
      },
    },
    [callRecord({}), failed],
  )
  const text = await textOf(atifText(exportSource(attempt), { isRun: false }))
  expect(text.startsWith('{\n  "schema_version"')).toBe(true)
  expect(JSON.parse(text)).toEqual({
    schema_version: 'ATIF-v1.8',
    session_id: 'r/001-m-r1',
    trajectory_id: 'r/001-m-r1',
    agent: { name: 'codex', version: 'unknown', model_name: 'x' },
    steps: [
      { step_id: 1, timestamp: start, source: 'user', message: 'go' },
      { step_id: 2, source: 'agent', message: 'before' },
      {
        ...{ step_id: 3, timestamp: start, source: 'agent', message: '' },
        tool_calls: [
          {
            tool_call_id: 'call_1',
            function_name: 'cli.exec',
            arguments: { argv: ['/bin/ls', '-l'] },
          },
        ],
        observation: { results: [{ source_call_id: 'call_1', content: 'out' }] },
        extra: {
          ...{ ok: true, exit_code: 0, duration_ms: 1000, out_bytes: 3, err_bytes: 0 },
          truncated: false,
        },
      },
      {
        ...{ step_id: 4, timestamp: start, source: 'agent', message: '' },
        reasoning_content: 'hidden',
      },
      {
        ...{ step_id: 5, timestamp: start, source: 'agent', message: '' },
        tool_calls: [
          { tool_call_id: 'call_2', function_name: 'mcp.read', arguments: { path: 'a' } },
        ],
        observation: { results: [{ source_call_id: 'call_2', content: 'o\ne' }] },
        extra: {
          ...{ ok: false, code: 'E', duration_ms: 20, out_bytes: 1, err_bytes: 2 },
          truncated: true,
        },
      },
      { step_id: 6, timestamp: start, source: 'system', message: 'note' },
      {
        ...{ step_id: 7, timestamp: start, source: 'agent', message: 'done' },
        extra: { outcome: true, ok: true },
      },
    ],
    final_metrics: {
      ...{ total_prompt_tokens: 10, total_completion_tokens: 4, total_cached_tokens: 3 },
      total_steps: 7,
    },
    extra: {
      ...{ suite_id: 's', mission_id: 'm', attempt_id: '001-m-r1' },
      ...{ ok: true, outcome: 'passed' },
    },
  })
})

it('an ATIF export of a run is a list, and an empty attempt has one step', async () => {
  expect(await textOf(atifText(exportSource(), { isRun: true }))).toBe('[]\n')
  expect(await textOf(atifText(exportSource(), { isRun: false }))).toBe('[]\n')
  const spoken = exportAttempt({
    ...{ prompt: 'go', messages: [message('go!', { role: 'user' })] },
    ...{ attempt: { agentId: 'a' }, feedback: { ok: false, resultJson: { n: 1 } } },
  })
  const text = await textOf(atifText(exportSource(exportAttempt(), spoken), { isRun: true }))
  expect(text).toMatch(/^\[\n\{.*\},\n\{.*\}\n\]\n$/)
  expect(JSON.parse(text)).toMatchObject([
    {
      agent: { name: 'unknown' },
      steps: [{ step_id: 1, timestamp: start, source: 'system', message: '' }],
      final_metrics: { total_steps: 1 },
      extra: { ok: null },
    },
    { agent: { name: 'a' }, steps: [{ message: 'go!' }, { message: '{"n":1}' }] },
  ])
  const only = await textOf(atifText(exportSource(exportAttempt()), { isRun: true }))
  expect(only).toMatch(/^\[\n\{.*\}\n\]\n$/)
})
