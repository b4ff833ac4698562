import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, rawServer, request, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab(['--prompt', 'Say <hello> & "bye"', '--agent-id', 'agent-1'])
})
afterEach(() => lab.remove())

async function record(): Promise<void> {
  await lab.zcl(['run', '--', 'echo', 'hi, "you"'])
  await lab.zcl(['run', '--', 'sh', '-c', 'echo \u0001 >&2; exit 3'])
  const talk = request(1, 'initialize') + request(2, 'tools/call', { name: 'add', arguments: {} })
  await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: talk })
  await lab.zcl(['feedback', '--fail', '--result', 'A < B & \u0007', '--decision-tag', 'blocked'])
}

async function exported(format: string, target = lab.runFolder, ...flags: string[]) {
  const ran = await lab.zcl(['export', '--format', format, ...flags, target])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  return ran.stdout
}

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

describe('zcl export', () => {
  it('writes the events unchanged as JSONL', async () => {
    await record()
    const text = readFileSync(lab.file('tool.calls.jsonl'), 'utf8')
    expect(await exported('jsonl')).toBe(text)
    expect(await exported('jsonl', lab.attempt)).toBe(text)
    expect(await exported('jsonl', lab.runId)).toBe(text)
  })

  it('writes one CSV row per call', async () => {
    await record()
    await lab.zcl(['run', '--', '=cmd|x'])
    const lines = (await exported('csv')).trimEnd().split('\n')
    expect(lines[0]).toBe(
      'runId,suiteId,missionId,attemptId,index,ts,tool,op,ok,code,exitCode,durationMs,' +
        'outBytes,errBytes,truncated,input',
    )
    expect(lines).toHaveLength(7)
    expect(lines[1]).toMatch(
      /^[^,]+,s,m,001-m-r1,0,[^,]+Z,cli,exec,true,,0,\d+,10,0,false,"\{""argv"":\[""echo"",""hi, \\""you\\""""\]\}"$/,
    )
    expect(lines[2]).toContain(',false,ZCL_E_TOOL_FAILED,3,')
  })

  it('writes each attempt as a JUnit test case', async () => {
    await record()
    await lab.zcl(['attempt', 'start', '--suite', 's', '--mission', 'other', '--run-id', lab.runId])
    const xml = await exported('junit')
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n/)
    expect(xml).toMatch(/<testsuite name="s" tests="2" failures="1" errors="1" skipped="0" time="/)
    expect(xml).toContain('<testcase classname="s" name="m (001-m-r1)" time="')
    expect(xml).toContain(
      '<failure type="blocked" message="blocked">A &lt; B &amp; \ufffd</failure>',
    )
    expect(xml).toContain('<error type="missing_evidence"')
    expect(xml).toContain('3 calls, 1 failed')
  })

  it('writes each attempt as an OTLP trace and each call as a span', async () => {
    await record()
    const text = await exported('otlp-json')
    expect(await exported('otlp-json')).toBe(text)
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { schemaUrl: string; scopeSpans: { scope: object; spans: Span[] }[] }[]
    }
    expect(resourceSpans[0]?.schemaUrl).toMatch(/schemas\/\d+\.\d+\.\d+$/)
    const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? []
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined)
    expect(root?.name).toBe('invoke_agent m')
    expect(spans.map(({ name }) => name)).toEqual([
      'execute_tool echo',
      'execute_tool sh',
      'spawn',
      'initialize',
      'tools/call add',
      'invoke_agent m',
    ])
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(span.startTimeUnixNano).toMatch(/^\d{19}$/)
      expect(Number(span.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(span.startTimeUnixNano))
      if (span !== root) expect(span.parentSpanId).toBe(root?.spanId)
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(6)
    const attributes = Object.fromEntries(
      (spans[4]?.attributes ?? []).map(({ key, value }) => [key, value]),
    )
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': { stringValue: 'execute_tool' },
      'gen_ai.tool.name': { stringValue: 'add' },
      'mcp.method.name': { stringValue: 'tools/call' },
      'jsonrpc.request.id': { stringValue: '2' },
      'zcl.event.index': { intValue: '4' },
    })
    expect(spans[1]?.status).toMatchObject({ code: 2 })
  })

  it('writes one ATIF trajectory per attempt', async () => {
    await record()
    const one = JSON.parse(await exported('atif', lab.attempt)) as Record<string, unknown>
    expect(one).toMatchObject({
      schema_version: expect.stringMatching(/^ATIF-v1\.\d+$/),
      agent: { name: 'agent-1' },
      final_metrics: { total_steps: 7 },
    })
    const steps = one.steps as Record<string, unknown>[]
    expect(steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(steps[0]).toMatchObject({ source: 'user', message: 'Say <hello> & "bye"' })
    expect(steps[1]).toMatchObject({
      source: 'agent',
      tool_calls: [
        {
          tool_call_id: 'call_1',
          function_name: 'cli.exec',
          arguments: { argv: ['echo', 'hi, "you"'] },
        },
      ],
      observation: { results: [{ source_call_id: 'call_1', content: 'hi, "you"\n' }] },
    })
    expect(steps[6]).toMatchObject({ message: 'A < B & \u0007', extra: { ok: false } })
    expect(JSON.parse(await exported('atif'))).toEqual([one])
  })

  it('writes to a file with --out', async () => {
    await record()
    const text = await exported('jsonl')
    const out = path.join(lab.folder, 'deep.jsonl')
    const ran = await lab.zcl([
      'export',
      '--format',
      'jsonl',
      '--out',
      'deep.jsonl',
      '--json',
      lab.runFolder,
    ])
    expect(JSON.parse(ran.stdout)).toEqual({ ok: true, format: 'jsonl', path: 'deep.jsonl' })
    expect(readFileSync(out, 'utf8')).toBe(text)
  })

  it.each(['otlp-json', 'atif', 'junit', 'csv', 'jsonl'])(
    'exports no secret as %s',
    async (format) => {
      await record()
      const key = `AKIA${'ABCDEFGH01234567'}`
      const file = lab.file('tool.calls.jsonl')
      const [first = ''] = readFileSync(file, 'utf8').split('\n')
      appendFileSync(file, `${first.replace('hi, ', `hi ${key} `)}\n`)
      const ran = await lab.zcl(['export', '--format', format, '--out', 'x', lab.runFolder])
      expect([ran.code, ran.stdout]).toEqual([2, ''])
      expect(ran.stderr).toMatch(/^ZCL_E_UNSAFE_EVIDENCE: 001-m-r1\/tool\.calls\.jsonl, event 6,/)
      expect(ran.stderr).not.toContain(key)
      expect(existsSync(path.join(lab.folder, 'x'))).toBe(false)
      const replaced = await exported(format, lab.runFolder, '--redact')
      expect(replaced).not.toContain(key)
      if (format === 'jsonl') expect(replaced).toContain('[REDACTED:AWS_ACCESS_KEY_ID]')
    },
  )

  it('finds values of secret variables, also in prompts and results', async () => {
    await record()
    const env = { MY_API_KEY: 'zebra-in-the-dark' }
    writeFileSync(lab.file('prompt.txt'), 'use zebra-in-the-dark please')
    const ran = await lab.zcl(['export', '--format', 'atif', lab.attempt], { env })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('prompt.txt')
    const replaced = await lab.zcl(['export', '--format', 'atif', '--redact', lab.attempt], { env })
    expect(replaced.stdout).not.toContain('zebra')
  })

  it('reads no file outside the run', async () => {
    await record()
    const outside = path.join(lab.folder, 'outside')
    writeFileSync(outside, 'not of this run')
    rmSync(lab.file('prompt.txt'))
    symlinkSync(outside, lab.file('prompt.txt'))
    expect(await exported('atif', lab.attempt)).not.toContain('not of this run')
    rmSync(lab.file('prompt.txt'))
    execFileSync('mkfifo', [lab.file('prompt.txt')])
    expect((await exported('csv')).split('\n')).toHaveLength(7)
  })

  it('refuses a folder without evidence', async () => {
    expect((await lab.zcl(['export', '--format', 'csv', lab.home])).code).toBe(2)
    expect((await lab.zcl(['export', '--format', 'pdf', lab.runFolder])).code).toBe(2)
    expect((await lab.zcl(['export', lab.runFolder])).code).toBe(2)
  })
})
