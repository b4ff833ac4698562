// Attempts, runs and retention.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filesBelow, Project, readJson, type Json } from './project.ts'

let project: Project
beforeEach(() => (project = new Project()))
afterEach(() => project.remove())

describe('zcl attempt start', () => {
  test('prints the exact keys and environment of the contract', async () => {
    const args = ['attempt', 'start', '--suite', 'My Suite', '--mission', 'Find_It!']
    const { json } = await project.json([...args, '--agent-id', '  an id ', '--retry', '2'])
    expect(Object.keys(json)).toEqual([
      'ok',
      'runId',
      'suiteId',
      'missionId',
      'attemptId',
      'agentId',
      'mode',
      'outDir',
      'outDirAbs',
      'env',
      'createdAt',
    ])
    expect(json).toMatchObject({
      suiteId: 'my-suite',
      missionId: 'find-it',
      attemptId: '001-find-it-r2',
      agentId: 'an id',
      mode: 'discovery',
    })
    const { outDirAbs } = json as { outDirAbs: string }
    expect(outDirAbs).toBe(path.join(project.folder, json.outDir as string))
    expect(json.env).toEqual({
      ZCL_AGENT_ID: 'an id',
      ZCL_ATTEMPT_ID: '001-find-it-r2',
      ZCL_MISSION_ID: 'find-it',
      ZCL_OUT_DIR: outDirAbs,
      ZCL_RUN_ID: json.runId,
      ZCL_SUITE_ID: 'my-suite',
    })
  })

  test('prints optional fields only when requested', async () => {
    const plain = await project.start()
    expect(Object.keys(readJson(plain.file('attempt.json')))).toEqual([
      'schemaVersion',
      'runId',
      'suiteId',
      'missionId',
      'attemptId',
      'mode',
      'startedAt',
    ])
    const rich = await project.start([
      ...['--timeout-ms', '5000', '--isolation-model', 'process_runner'],
      ...['--blind', '--blind-terms', 'foo, bar', '--env-file', 'my.env', '--env-format', 'dotenv'],
    ])
    expect(readJson(rich.file('attempt.json'))).toMatchObject({
      timeoutMs: 5000,
      timeoutStart: 'first_tool_call',
      isolationModel: 'process_runner',
      blind: true,
      blindTerms: ['foo', 'bar'],
    })
    const written = readFileSync(path.join(project.folder, 'my.env'), 'utf8')
    expect(written).toContain(`ZCL_RUN_ID=${rich.runId}\n`)
  })

  test('prints an environment that a shell can evaluate', async () => {
    const args = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--agent-id', "it's $x"]
    const { out } = await project.zcl([...args, '--print-env', 'sh'])
    const seen = execFileSync('sh', ['-c', `${out}\nprintf '%s|%s' "$ZCL_AGENT_ID" "$ZCL_OUT_DIR"`])
    const [agent, folder] = seen.toString().split('|')
    expect(agent).toBe("it's $x")
    const again = await project.zcl(['attempt', 'env', folder ?? ''])
    expect(again.out).toBe(out)
  })

  test('uses the defaults of the suite without a flag', async () => {
    const yaml = `suiteId: smoke
defaults: { mode: ci, timeoutMs: 9000, timeoutStart: first_tool_call }
missions:
  - missionId: hello
    prompt: say hello
    tags: [greeting]
`
    project.write('suite.yaml', yaml)
    const attempt = await project.start(['--suite-file', 'suite.yaml'])
    expect(readJson(attempt.file('attempt.json'))).toMatchObject({
      mode: 'ci',
      timeoutMs: 9000,
      timeoutStart: 'first_tool_call',
    })
    expect(readFileSync(attempt.file('prompt.txt'), 'utf8')).toBe('say hello')
    const other = await project.start([
      ...['--suite-file', 'suite.yaml', '--run-id', attempt.runId],
      ...['--mode', 'discovery', '--prompt', 'say bye'],
    ])
    expect(readJson(other.file('attempt.json')).mode).toBe('discovery')
    expect(readFileSync(other.file('prompt.txt'), 'utf8')).toBe('say bye')
    const tagged = await project.json(['attempt', 'list', '--tag', 'greeting'])
    expect(tagged.json.total).toBe(2)
    expect((await project.json(['attempt', 'list', '--tag', 'x'])).json.total).toBe(0)
  })

  test('refuses a blind prompt that names the harness and writes nothing', async () => {
    const ran = await project.zcl([
      ...['attempt', 'start', '--suite', 's', '--mission', 'm', '--blind'],
      ...['--prompt', 'then call zcl feedback', '--json'],
    ])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toMatch(/^ZCL_E_CONTAMINATED_PROMPT: /)
    expect(filesBelow(project.root)).toEqual({})
  })

  test('refuses a mismatching, invalid or missing suite with a code and writes nothing', async () => {
    project.write('other.json', { suiteId: 'other', missions: [{ missionId: 'hello' }] })
    project.write('broken.json', '{oops')
    project.write('empty.yaml', 'suiteId: smoke\nmissions: []\n')
    const before = filesBelow(project.root)
    for (const [file, code] of [
      ['other.json', 2],
      ['broken.json', 2],
      ['empty.yaml', 2],
      ['absent.json', 1],
    ] as const) {
      const args = ['attempt', 'start', '--suite', 'smoke', '--mission', 'hello']
      const ran = await project.zcl([...args, '--suite-file', file, '--json'])
      expect(ran).toMatchObject({ code, out: '' })
      expect(ran.err).toMatch(/^ZCL_E_[A-Z_]+: [^\n]+\n$/)
    }
    expect(filesBelow(project.root)).toEqual(before)
  })
})

describe('lists and explanations', () => {
  test('zcl attempt list filters by suite, mission and outcome, newest first; attempt latest prints the first', async () => {
    const first = await project.complete()
    const second = await project.start(['--run-id', first.runId])
    const failed = await project.start(['--run-id', first.runId])
    await project.run(failed, ['true'])
    await project.zcl(['feedback', '--fail', '--result', 'x'], { env: failed.env })
    await project.json(['attempt', 'start', '--suite', 'zother', '--mission', 'm'])
    const idsOf = async (...args: string[]) => {
      const { json } = await project.json(['attempt', 'list', ...args])
      return (json.attempts as Json[]).map(({ attemptId }) => attemptId)
    }
    expect(await idsOf('--suite', 'Smoke')).toEqual([
      failed.attemptId,
      second.attemptId,
      first.attemptId,
    ])
    expect(await idsOf('--status', 'ok')).toEqual([first.attemptId])
    expect(await idsOf('--status', 'fail')).toEqual([failed.attemptId])
    expect(await idsOf('--status', 'missing_feedback', '--suite', 'smoke')).toEqual([
      second.attemptId,
    ])
    const limited = await project.json(['attempt', 'list', '--suite', 'smoke', '--limit', '1'])
    expect(limited.json).toMatchObject({ total: 3, attempts: [{ attemptId: failed.attemptId }] })
    const latest = await project.json(['attempt', 'latest', '--suite', 'smoke'])
    expect(latest.json).toMatchObject({ attempt: { attemptId: failed.attemptId } })
    expect((await project.zcl(['attempt', 'latest', '--suite', 'none'])).code).toBe(2)
    const runs = await project.json(['runs', 'list', '--suite', 'smoke'])
    expect(runs.json).toMatchObject({
      total: 1,
      runs: [{ runId: first.runId, attempts: 3, passed: 1, failed: 1, missingFeedback: 1 }],
    })
  })

  test('zcl attempt explain shows the last calls and the validation errors', async () => {
    const attempt = await project.complete()
    const { json } = await project.json(['attempt', 'explain', '--tail', '1'], { env: attempt.env })
    expect(json).toMatchObject({
      ok: true,
      attemptId: attempt.attemptId,
      report: { metrics: { toolCallsTotal: 2 } },
      validate: { ok: true },
      tail: [{ result: { exitCode: 3 } }],
    })
    expect(existsSync(attempt.file('attempt.report.json'))).toBe(false)
  })
})

describe('zcl gc', () => {
  const at = (day: string) => ({ env: { ZCL_NOW: `2026-${day}T00:00:00Z` } })

  test('deletes runs by age and by size, but keeps pinned ones', async () => {
    const old = await project.start([], at('01-01'))
    const pinned = await project.start([], at('01-02'))
    const young = await project.start([], at('02-20'))
    const pin = await project.json(['pin', '--run-id', pinned.runId, '--on'])
    expect(pin.json).toMatchObject({ ok: true, runId: pinned.runId, pinned: true })
    const dry = await project.json(['gc', '--dry-run'], at('03-01'))
    expect(dry.json).toMatchObject({ dryRun: true, deleted: [{ runId: old.runId }] })
    expect(existsSync(old.runFolder)).toBe(true)
    const real = await project.json(['gc', '--older-than', '14d'], at('03-01'))
    expect(real.json).toMatchObject({ ok: true, deleted: [{ runId: old.runId }], errors: [] })
    expect(existsSync(old.runFolder)).toBe(false)
    const bySize = await project.json(['gc', '--max-bytes', '1b'], at('03-01'))
    expect(bySize.json).toMatchObject({
      deleted: [{ runId: young.runId }],
      kept: [{ runId: pinned.runId, pinned: true }],
    })
    await project.zcl(['pin', '--run-id', pinned.runId, '--off'])
    await project.zcl(['gc', '--max-age-days', '0'], at('03-01'))
    expect(existsSync(pinned.runFolder)).toBe(false)
  })

  test('deletes nothing by a clock that is ahead of all evidence, unless --yes says so', async () => {
    const run = await project.start([])
    const ahead = { env: { ZCL_NOW: '2199-01-01T00:00:00Z' } }
    const refused = await project.zcl(['gc', '--older-than', '14d'], ahead)
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(
      /^ZCL_E_CLOCK: the clock says 2199-01-01T00:00:00\.000Z, but the newest evidence is of \S+Z: all of it would be old; nothing was deleted \(check the clock, then use --yes\)\n$/,
    )
    expect(existsSync(run.runFolder)).toBe(true)
    const confirmed = await project.json(['gc', '--older-than', '14d', '--yes'], ahead)
    expect(confirmed.json).toMatchObject({ ok: true, deleted: [{ runId: run.runId }] })
    expect(existsSync(run.runFolder)).toBe(false)
  })
})

describe('many attempts', () => {
  const crowd = new Project()
  afterAll(() => crowd.remove())

  test('are listed, reported and collected in bounded memory', async () => {
    const attempts = 2000
    const model = await crowd.complete()
    const runs = path.dirname(model.runFolder)
    const perRun = 500
    for (let run = 0; run < attempts / perRun; run++) {
      const runId = `20250101-00000${run}Z-aaaaaa`
      const folder = path.join(runs, runId)
      mkdirSync(path.join(folder, 'attempts'), { recursive: true })
      writeFileSync(
        path.join(folder, 'run.json'),
        replaced(model.runFolder, 'run.json', model.runId, runId),
      )
      for (let index = 1; index <= perRun; index++) {
        const attemptId = `${String(index).padStart(3, '0')}-hello-r1`
        const inner = path.join(folder, 'attempts', attemptId)
        mkdirSync(inner)
        for (const name of ['attempt.json', 'feedback.json', 'tool.calls.jsonl']) {
          const text = replaced(model.folder, name, model.runId, runId)
          // Changed lines no longer match their hashes.
          const own = text.replaceAll(model.attemptId, attemptId).replace(/,"chain":"\w+"/g, '')
          writeFileSync(path.join(inner, name), own)
        }
      }
    }
    const env = { NODE_OPTIONS: '--max-old-space-size=40' }
    const list = await crowd.json(['attempt', 'list'], { env })
    expect(list).toMatchObject({ code: 0, json: { total: attempts + 1 } })
    const report = await crowd.json(['report', path.join(runs, '20250101-000000Z-aaaaaa')], { env })
    expect(report).toMatchObject({ code: 0, json: { aggregate: { attemptsTotal: perRun } } })
    const gc = await crowd.json(['gc', '--dry-run', '--older-than', '0s'], { env })
    expect(gc).toMatchObject({ code: 0 })
    const valid = await crowd.json(['validate', path.join(runs, '20250101-000000Z-aaaaaa')], {
      env,
    })
    expect(valid).toMatchObject({ code: 0, json: { ok: true } })
  }, 120_000)

  function replaced(folder: string, name: string, from: string, to: string): string {
    return readFileSync(path.join(folder, name), 'utf8').replaceAll(from, to)
  }
})
