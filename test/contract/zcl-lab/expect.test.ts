import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

/** Creates one attempt with these expectations, a result and a traced call. */
async function attempt(expects: object | undefined, result: unknown, ok = true) {
  const mission = { missionId: 'hello', expects }
  lab.write('suite.json', { suiteId: 'smoke', missions: [mission] })
  const started = await lab.start(['--suite-file', 'suite.json'])
  await lab.run(started, ['echo', 'one'])
  const flags =
    typeof result === 'string' ? ['--result', result] : ['--result-json', JSON.stringify(result)]
  await lab.zcl(['feedback', ok ? '--ok' : '--fail', ...flags], { env: started.env })
  return started
}

const codes = (json: Json) => (json.failures as { code: string }[]).map(({ code }) => code)

describe('zcl expect', () => {
  test('lists the failed expectations and exits 2', async () => {
    const expects = {
      ok: true,
      result: { type: 'string', pattern: '^TITLE=' },
      trace: { maxToolCallsTotal: 5, requireCommandPrefix: ['curl'] },
    }
    const { folder, outDir, runFolder } = await attempt(expects, 'nope')
    const { code, json, err } = await lab.json(['expect', outDir])
    expect(code).toBe(2)
    expect(Object.keys(json)).toEqual(['ok', 'target', 'path', 'evaluated', 'failures'])
    expect(json).toMatchObject({ ok: false, target: 'attempt', path: outDir, evaluated: true })
    expect(codes(json)).toEqual(['ZCL_E_EXPECT_RESULT_PATTERN', 'ZCL_E_EXPECT_REQUIRED_COMMAND'])
    expect(err).toMatch(/^ZCL_E_EXPECT_RESULT_PATTERN: feedback.json: [^\n]*\n$/)
    const run = await lab.json(['expect', runFolder])
    expect(run.json).toMatchObject({
      target: 'run',
      failures: [{ path: expect.stringMatching(/^attempts\//) }, {}],
    })
    expect(readFileSync(path.join(folder, 'attempt.json'), 'utf8')).toContain('hello')
  })

  test('passes without expectations unless --strict is given', async () => {
    const { outDir, env } = await attempt(undefined, 'x')
    const plain = await lab.json(['expect', outDir])
    expect([plain.code, plain.json]).toMatchObject([
      0,
      { ok: true, evaluated: false, failures: [] },
    ])
    const strict = await lab.json(['expect', '--strict', outDir])
    expect([strict.code, codes(strict.json)]).toEqual([2, ['ZCL_E_EXPECTATION_FAILED']])
    const finish = await lab.json(['attempt', 'finish', '--strict-expect'], { env })
    expect([finish.code, finish.json.strictExpect]).toEqual([2, true])
    expect((await lab.zcl(['attempt', 'finish'], { env })).code).toBe(0)
    expect((await lab.zcl(['expect', 'absent'])).err).toMatch(/^ZCL_E_USAGE: /)
  })
})

describe('semantic rules', () => {
  test('report one code per failed rule', async () => {
    const semantic = {
      requiredJsonPointers: ['/a/b'],
      minMeaningfulFields: 2,
      requireMCPTool: ['click'],
      suspiciousBoilerplate: true,
      boilerplateCommandPrefixes: ['echo'],
    }
    const { outDir } = await attempt({ semantic }, { a: {}, c: 'x' })
    const { json, code } = await lab.json(['expect', outDir])
    const names = ['POINTER', 'MEANINGFUL', 'TOOL', 'BOILERPLATE']
    expect(codes(json)).toEqual(names.map((name) => `ZCL_E_EXPECT_SEMANTIC_${name}`))
    expect(code).toBe(2)
  })

  test('run a hook that gets the result and decides by its exit code', async () => {
    const hook = lab.write(
      'hook.sh',
      '#!/bin/sh\ngrep -q \'"result":"good"\' || { echo "not good"; exit 3; }',
    )
    chmodSync(hook, 0o755)
    const good = await attempt({ semantic: { hookCommand: [hook] } }, 'good')
    expect((await lab.zcl(['expect', good.outDir])).code).toBe(0)
    const bad = await attempt({ semantic: { hookCommand: [hook] } }, 'bad')
    const { json } = await lab.json(['expect', bad.outDir])
    expect(json.failures).toMatchObject([
      { code: 'ZCL_E_EXPECT_SEMANTIC_HOOK', message: expect.stringContaining('not good') },
    ])
    const finish = await lab.json(['attempt', 'finish'], { env: bad.env })
    expect([finish.code, finish.json.ok]).toEqual([2, false])
  })

  test.each([
    ['does not exist', { hookCommand: ['./absent-hook'] }],
    ['does not end', { hookCommand: ['sleep', '60'], hookTimeoutMs: 200 }],
  ])('fail with ZCL_E_SEMANTIC_HOOK when a hook %s', async (_what, semantic) => {
    const { outDir } = await attempt({ semantic }, 'x')
    const { json, code } = await lab.json(['expect', outDir])
    expect([code, codes(json)]).toEqual([2, ['ZCL_E_SEMANTIC_HOOK']])
  })
})

describe('zcl validate --semantic', () => {
  test('leaves out attempts that say nothing about the agent, as zcl expect does', async () => {
    lab.suite([{ missionId: 'one', expects: { semantic: { minMeaningfulFields: 2 } } }])
    const run = await lab.suiteRun([], ['true'])
    expect(run.json.infra).toBe(1)
    for (const command of [['validate', '--semantic'], ['expect']]) {
      const checked = await lab.json([...command, run.folder])
      expect([checked.code, checked.json]).toMatchObject([0, { ok: true, evaluated: false }])
    }
  })

  test('applies the rules of the suite or of a rules file', async () => {
    const { outDir, runFolder } = await attempt({ semantic: { minMeaningfulFields: 2 } }, { a: 1 })
    const own = await lab.json(['validate', '--semantic', outDir])
    expect(own.code).toBe(2)
    expect(Object.keys(own.json)).toEqual([
      ...['ok', 'target', 'path', 'evaluated', 'attempts', 'failures'],
    ])
    lab.write(
      'rules.yaml',
      'default: {minMeaningfulFields: 1}\nmissions: {other: {minMeaningfulFields: 9}}\n',
    )
    const args = ['validate', '--semantic', '--semantic-rules', 'rules.yaml', runFolder]
    const file = await lab.json(args)
    expect([file.code, file.json]).toMatchObject([
      0,
      {
        ok: true,
        target: 'run',
        rulePath: 'rules.yaml',
        attempts: [{ ok: true, evaluated: true }],
      },
    ])
    lab.write('rules.yaml', 'default: {minMeaningfulFields: lots}\n')
    expect((await lab.zcl(args)).err).toMatch(/^ZCL_E_SEMANTIC: rules.yaml/)
    lab.write('rules.yaml', 'default: {minMeaningfulFields: 1\n')
    expect((await lab.zcl(args)).err).toMatch(/^ZCL_E_INVALID_JSON: rules.yaml is not YAML: /)
    lab.write('rules.yaml', `default: ${'['.repeat(20_000)}`)
    expect((await lab.zcl(args)).err).toBe(
      'ZCL_E_INVALID_JSON: rules.yaml is not YAML: it nests too deep\n',
    )
  })
})
