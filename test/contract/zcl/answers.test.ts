// The output of commands: one JSON document with a fixed order of keys, typed errors, exit codes.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesBelow, Project, type StartedAttempt } from './project.ts'

const project = new Project()
let attempt: StartedAttempt
const now = { ZCL_NOW: '2026-02-15T18:00:12.345Z' }
beforeAll(async () => {
  attempt = await project.complete()
})
afterAll(() => project.remove())

/** The keys of a document at every depth, in order; for a list, the keys of all its items. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(shape)
    const isPlain = items.some((item) => typeof item !== 'object')
    return isPlain || items.length === 0 ? items.slice(0, 1) : [Object.assign({}, ...items)]
  }
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
}

const attemptCommands: readonly (readonly [string, () => string[]])[] = [
  ['init', () => ['init']],
  [
    'attempt start',
    () => ['attempt', 'start', '--suite', 's', '--mission', 'm', '--agent-id', 'a'],
  ],
  ['attempt env', () => ['attempt', 'env', attempt.folder]],
  ['attempt list', () => ['attempt', 'list', '--suite', 'smoke', '--limit', '1']],
  ['attempt latest', () => ['attempt', 'latest', '--suite', 'smoke']],
  ['attempt finish', () => ['attempt', 'finish', attempt.folder]],
  ['attempt explain', () => ['attempt', 'explain', attempt.folder, '--tail', '1']],
  ['runs list', () => ['runs', 'list', '--suite', 'smoke']],
  ['feedback', () => ['feedback', '--ok', '--result', 'DONE=1']],
  ['note', () => ['note', '--message', 'x']],
  ['report', () => ['report', attempt.folder]],
  ['report of a run', () => ['report', attempt.runFolder]],
  ['show', () => ['show', attempt.runFolder]],
  ['validate', () => ['validate', attempt.runFolder]],
  ['doctor', () => ['doctor']],
  ['gc', () => ['gc', '--dry-run']],
  ['pin', () => ['pin', '--run-id', attempt.runId, '--off']],
  ['shim install', () => ['shim', 'install', '--dir', 'shims', 'tool']],
]

describe('--json', () => {
  test.each(attemptCommands)('%s answers with one document of a fixed shape', async (_, args) => {
    const ran = await project.json(args(), { env: { ...attempt.env, ...now } })
    expect(ran.code).toBe(0)
    expect(ran.err).toBe('')
    expect(ran.out).toBe(`${JSON.stringify(ran.json, undefined, 2)}\n`)
    expect(JSON.stringify(shape(ran.json), undefined, 1)).toMatchSnapshot()
  })

  test('repeats the same output for the same command', async () => {
    for (const args of [['contract'], ['report', attempt.folder], ['validate', attempt.folder]]) {
      const [one, two] = [
        await project.json(args, { env: now }),
        await project.json(args, { env: now }),
      ]
      expect(one.out).toBe(two.out)
    }
  })

  test('prints empty lists as lists', async () => {
    const empty = new Project()
    try {
      expect((await empty.json(['attempt', 'list'])).json).toEqual({
        ok: true,
        attempts: [],
        total: 0,
      })
      expect((await empty.json(['runs', 'list'])).json).toEqual({ ok: true, runs: [], total: 0 })
      expect(Object.keys((await empty.json(['gc'])).json)).toEqual([
        'ok',
        'outRoot',
        'dryRun',
        'deleted',
        'kept',
        'errors',
        'totalBeforeBytes',
        'totalAfterBytes',
      ])
    } finally {
      empty.remove()
    }
  })

  test('uses ZCL_NOW for artifacts and the system clock for actions', async () => {
    const env = { ...attempt.env, ...now }
    const { json } = await project.json(['attempt', 'start', '--suite', 's', '--mission', 'm'], {
      env: now,
    })
    expect(json).toMatchObject({ createdAt: now.ZCL_NOW })
    expect(json.runId).toMatch(/^20260215-180012Z-/)
    const report = await project.json(['report', attempt.folder], { env })
    expect(report.json).toMatchObject({ computedAt: now.ZCL_NOW })
    await project.run(attempt, ['true'], { env: now })
    expect(attempt.trace().at(-1)?.ts).not.toMatch(/^2026-02-15T18/)
    const bad = await project.zcl(['report', attempt.folder], { env: { ZCL_NOW: 'yesterday' } })
    expect(bad).toMatchObject({ code: 2 })
    expect(bad.err).toMatch(/^ZCL_E_USAGE: /)
  })
})

describe('output for people', () => {
  test.each(attemptCommands)('%s prints short lines without colour', async (_, args) => {
    const ran = await project.zcl(args(), { env: { ...attempt.env, ...now } })
    expect(ran.code).toBe(0)
    expect(ran.out).not.toBe('')
    expect(ran.out).not.toContain('\u001b')
    expect(ran.out.split('\n').every((line) => line.length < 400)).toBe(true)
  })

  test('is coloured with FORCE_COLOR', async () => {
    const ran = await project.zcl(['show', attempt.folder], { env: { FORCE_COLOR: '1' } })
    expect(ran.out).toContain('\u001b[32mok\u001b[39m')
  })
})

describe('zcl contract', () => {
  test('lists every command with its usage, and every code', async () => {
    const { json } = await project.json(['contract'])
    const commands = json.commands as { id: string; usage: string; summary: string }[]
    for (const { id, usage, summary } of commands) {
      expect(usage.startsWith(`zcl ${id}`)).toBe(true)
      expect(summary).not.toBe('')
    }
    const ids = commands.map(({ id }) => id)
    for (const id of ['init', 'attempt start', 'run', 'report', 'validate', 'gc', 'shim install']) {
      expect(ids).toContain(id)
    }
    const help = await project.zcl(['--help'])
    for (const id of ids) expect(help.out).toContain(id.split(' ')[0])
  })

  test('lists every code that commands print', async () => {
    const { json } = await project.json(['contract'])
    const known = new Set((json.errors as { code: string }[]).map(({ code }) => code))
    const runs = [
      ['frobnicate'],
      ['validate', '/nowhere'],
      ['report', '/nowhere'],
      ['feedback', '--ok'],
      ['pin', '--run-id', 'x', '--on'],
      ['gc', '--older-than', 'x'],
    ]
    for (const args of runs) {
      const { err } = await project.zcl(args)
      const code = /^(ZCL_[A-Z_]+): /.exec(err)?.[1]
      expect(known.has(code ?? ''), err).toBe(true)
    }
  })
})

describe('a usage error writes nothing and prints its code', () => {
  test.each([
    ['frobnicate'],
    ['attempt', 'frobnicate'],
    ['attempt'],
    ['report'],
    ['report', '--no-such-flag', '.'],
    ['validate'],
    ['validate', 'a', 'b'],
    ['attempt', 'start', '--suite', 's'],
    ['attempt', 'start', '--mission', 'm'],
    ['attempt', 'start', '--suite', '!!!', '--mission', 'm'],
    ['attempt', 'start', '--suite', 's', '--mission', '___'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--mode', 'prod'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--run-id', '../../x'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--retry', '0'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--timeout-ms', '0'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--timeout-start', 'later'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--print-env', 'sh', '--json'],
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--env-format', 'sh'],
    ['attempt', 'finish'],
    ['feedback', '--ok', '--result', 'x'],
    ['note', '--message', 'x'],
    ['gc', '--older-than', '5'],
    ['gc', '--max-bytes', 'lots'],
    ['gc', '--older-than', '5d', '--max-age-days', '5'],
    ['pin', '--run-id', '20260215-180012Z-09c5a6'],
    ['pin', '--run-id', '20260215-180012Z-09c5a6', '--on'],
    ['shim', 'install', '--dir', 'x'],
  ])('zcl %s %s %s %s %s %s %s %s', async (...args) => {
    const fresh = new Project()
    try {
      const ran = await fresh.zcl(args.filter((word) => word !== undefined))
      expect(ran.code, ran.err).toBe(2)
      expect(ran.err).toMatch(/^ZCL_E_USAGE: [^\n]+\n$/)
      expect(filesBelow(fresh.root)).toEqual({})
    } finally {
      fresh.remove()
    }
  })

  test.each([
    ['both --ok and --fail', ['--ok', '--fail', '--result', 'x']],
    ['neither --ok nor --fail', ['--result', 'x']],
    ['no result', ['--ok']],
    ['two results', ['--ok', '--result', 'x', '--result-json', '1']],
    ['an unknown classification', ['--ok', '--result', 'x', '--classification', 'vibes']],
    ['an unknown tag', ['--ok', '--result', 'x', '--decision-tag', 'great']],
    ['--hypothesis without --classification', ['--ok', '--result', 'x', '--hypothesis']],
  ])('zcl feedback with %s leaves the outcome unchanged', async (_, args) => {
    const before = filesBelow(attempt.folder)
    const ran = await project.zcl(['feedback', ...args], { env: attempt.env })
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_[A-Z_]+: [^\n]+\n$/)
    expect(filesBelow(attempt.folder)).toEqual(before)
  })

  test('zcl feedback accepts tags one by one or as a list, in any letter case', async () => {
    const args = [
      '--fail',
      '--result',
      'x',
      '--decision-tag',
      'TIMEOUT',
      '--decision-tags',
      'blocked, timeout',
    ]
    await project.zcl(['feedback', ...args], { env: attempt.env })
    const { json } = await project.json(['show', attempt.folder])
    expect(json.decisionTags).toEqual(['blocked', 'timeout'])
    await project.zcl(['feedback', '--ok', '--result', 'DONE=1'], { env: attempt.env })
  })
})

describe('exit codes', () => {
  test('zcl validate exits 0 for valid evidence, 2 for errors, and prints the first error on stderr', async () => {
    const damaged = await project.complete()
    expect((await project.json(['validate', '--strict', damaged.folder])).code).toBe(0)
    writeFileSync(damaged.file('feedback.json'), '{')
    const ran = await project.json(['validate', damaged.folder])
    expect(ran).toMatchObject({ code: 2, json: { ok: false, target: 'attempt' } })
    expect(ran.err).toMatch(/^ZCL_E_INVALID_JSON: feedback\.json: [^\n]+\n$/)
    const unknown = await project.json(['validate', project.folder])
    expect(unknown).toMatchObject({ code: 2, json: { ok: false, target: 'unknown' } })
    expect(unknown.err).toMatch(/^ZCL_E_USAGE: /)
  })

  test('zcl report --strict of an incomplete attempt exits 2 and writes neither report nor stdout', async () => {
    const incomplete = await project.start()
    await project.run(incomplete, ['true'])
    const ran = await project.zcl(['report', '--strict', '--json', incomplete.folder])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toMatch(/^ZCL_E_MISSING_ARTIFACT: [^\n]+\n$/)
    expect(Object.keys(filesBelow(incomplete.folder))).not.toContain('attempt.report.json')
    expect((await project.json(['report', incomplete.folder])).code).toBe(0)
  })

  test('zcl attempt finish exits 2 for a failed outcome or an unmet expectation', async () => {
    const suite = {
      suiteId: 'smoke',
      missions: [
        { missionId: 'hello', expects: { ok: true, result: { type: 'string', pattern: '^T' } } },
      ],
    }
    project.write('suite.json', suite)
    const expected = await project.start(['--suite-file', 'suite.json'])
    const finish = () => project.json(['attempt', 'finish', expected.folder])
    const give = (...args: string[]) => project.zcl(['feedback', ...args], { env: expected.env })
    await project.run(expected, ['true'])
    await give('--ok', '--result', 'TITLE')
    expect(await finish()).toMatchObject({
      code: 0,
      json: { ok: true, expect: { evaluated: true } },
    })
    await give('--ok', '--result', 'x')
    const unmet = await finish()
    expect(unmet).toMatchObject({ code: 2, json: { ok: false, validate: { ok: true } } })
    expect(unmet.err).toMatch(/^ZCL_E_EXPECT_RESULT_PATTERN: /)
    await give('--fail', '--result', 'TITLE')
    expect((await finish()).code).toBe(2)
    const strict = await project.zcl(['attempt', 'finish', '--strict-expect', attempt.folder])
    expect(strict).toMatchObject({ code: 2 })
  })

  test('zcl feedback without a traced action warns in discovery mode and is refused in ci mode', async () => {
    const quiet = await project.start()
    const warned = await project.zcl(['feedback', '--ok', '--result', 'x'], { env: quiet.env })
    expect(warned.code).toBe(0)
    expect(warned.err).toMatch(/^ZCL_W_FUNNEL_BYPASS_SUSPECTED: [^\n]+\n$/)
    const ci = await project.start(['--mode', 'ci'])
    const refused = await project.zcl(['feedback', '--ok', '--result', 'x'], { env: ci.env })
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/^ZCL_E_MISSING_EVIDENCE: /)
  })

  test('zcl doctor prints failed checks and leaves no files', async () => {
    const sick = new Project()
    try {
      sick.write('zcl.config.json', '{nope')
      const before = filesBelow(sick.root)
      const ran = await sick.json(['doctor'])
      expect(ran.code).toBe(1)
      const checks = ran.json.checks as { id: string; ok: boolean }[]
      expect(checks.map(({ id, ok }) => [id, ok])).toEqual([
        ['write_access', true],
        ['project_config', false],
        ['global_config', true],
        ['redaction_config', false],
        ['runner_codex', true],
      ])
      expect(filesBelow(sick.root)).toEqual(before)
      rmSync(path.join(sick.folder, 'zcl.config.json'))
      expect(await sick.json(['doctor'])).toMatchObject({ code: 0, json: { ok: true } })
      expect(filesBelow(sick.root)).toEqual({})
      const blocked = await sick.json(['doctor', '--out-root', '/proc/nowhere'])
      expect(blocked).toMatchObject({ code: 1, json: { ok: false, outRoot: '/proc/nowhere' } })
    } finally {
      sick.remove()
    }
  })
})

test('a command whose output is not read to the end exits normally', async () => {
  const ran = await project.zcl(['contract', '--json'], {
    onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
  })
  expect(ran.err).toBe('')
})

test('control characters in a trace do not reach the terminal', async () => {
  const odd = await project.start()
  await project.run(odd, ['sh', '-c', 'exit 1', '\u001b]0;x\u0007\u001b[31m'])
  await project.run(odd, ['sh', '-c', 'exit 1', '\u001b]0;x\u0007\u001b[31m'])
  for (const args of [['show'], ['attempt', 'explain'], ['validate']]) {
    expect((await project.zcl([...args, odd.folder])).out).not.toMatch(/[\u0007\u001b]/)
  }
})
