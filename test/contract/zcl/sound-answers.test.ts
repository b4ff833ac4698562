// Edge cases of the zcl contract: damaged environments, damaged evidence, and wrong reports, retention or
// deletion.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { runUnprivileged } from '../../support/run-program.ts'
import { cleanEnvironment, Project, readJson, type Json, type StartedAttempt } from './project.ts'

let project: Project
beforeEach(() => {
  project = new Project()
})
afterEach(() => project.remove())

const secret = `ghp_${'a1B2'.repeat(9)}`

function codesOf(json: Json, list: 'errors' | 'warnings' = 'errors'): unknown[] {
  return (json[list] as Json[]).map(({ code }) => code)
}

describe('configuration', () => {
  it('with a byte order mark is read by every command', async () => {
    project.write('zcl.config.json', '\uFEFF{"schemaVersion":1,"outRoot":".zcl"}')
    const doctor = await project.json(['doctor'])
    expect(doctor.json.ok).toBe(true)
    const attempt = await project.start()
    expect((await project.run(attempt, ['true'])).code).toBe(0)
  })

  it.each(['./.zcl', '.zcl/'])(
    'zcl init accepts the configured root written as %s',
    async (root) => {
      await project.json(['init'])
      const again = await project.json(['init', '--out-root', root])
      expect(again.json).toMatchObject({ created: false, outRoot: '.zcl' })
      const other = await project.zcl(['init', '--out-root', 'other', '--json'])
      expect(other.code).toBe(2)
    },
  )

  it('zcl init refuses an empty output root and writes nothing', async () => {
    const ran = await project.zcl(['init', '--out-root', '', '--json'])
    expect([ran.code, ran.out]).toEqual([2, ''])
    expect(ran.err).toMatch(/^ZCL_E_USAGE: [^\n]+\n$/)
    expect(existsSync(path.join(project.folder, 'zcl.config.json'))).toBe(false)
  })

  it('zcl init prepares the effective root when the config file names none', async () => {
    project.write('zcl.config.json', { schemaVersion: 1 })
    mkdirSync(path.join(project.home, '.zcl'))
    const global = path.join(project.home, '.zcl', 'config.json')
    writeFileSync(global, JSON.stringify({ schemaVersion: 1, outRoot: 'mine' }))
    const { json } = await project.json(['init'])
    expect(json).toMatchObject({ outRoot: 'mine', created: false })
    expect(existsSync(path.join(project.folder, 'mine', 'runs'))).toBe(true)
  })

  it('zcl doctor prints its JSON when the output root is a file', async () => {
    project.write('.zcl', 'a file')
    const { code, json } = await project.json(['doctor'])
    expect(code).toBe(1)
    const checks = json.checks as Json[]
    expect(checks.find(({ id }) => id === 'write_access')).toMatchObject({ ok: false })
    expect(checks).toHaveLength(5)
  })
})

describe('zcl run', () => {
  it.each([
    ['--capture', '--help'],
    ['--help', '--', 'touch', 'happened'],
  ])('prints its help for a help flag before --: zcl run %s %s', async (...words) => {
    const ran = await project.zcl(['run', ...words])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('Usage: zcl run')
    expect(existsSync(path.join(project.folder, 'happened'))).toBe(false)
  })

  it('passes --help after -- to the command', async () => {
    const attempt = await project.start()
    expect((await project.run(attempt, ['printf', '%s', '--help'])).out).toBe('--help')
  })

  it('refuses an attempt.json that is a link: exit 2, nothing is run', async () => {
    const attempt = await project.start()
    renameSync(attempt.file('attempt.json'), path.join(project.folder, 'elsewhere.json'))
    symlinkSync(path.join(project.folder, 'elsewhere.json'), attempt.file('attempt.json'))
    const ran = await project.run(attempt, ['touch', 'happened'])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_CONTAINMENT: /)
    expect(existsSync(path.join(project.folder, 'happened'))).toBe(false)
  })
})

describe('zcl gc', () => {
  const old = '2020-01-01T00:00:00.000Z'

  async function runWith(fields: Json): Promise<string> {
    const { runFolder } = await project.start()
    const file = path.join(runFolder, 'run.json')
    writeFileSync(file, JSON.stringify({ ...readJson(file), createdAt: old, ...fields }))
    return runFolder
  }

  it('keeps and lists a run with an unreadable run.json, and does not report it as pinned', async () => {
    const kept = [await runWith({ schemaVersion: 2 }), await runWith({ pinned: 'true' })]
    kept.push(await runWith({ createdAt: 'long ago' }))
    const gone = await runWith({})
    const { json } = await project.json(['gc', '--older-than', '1d'])
    expect(kept.map((folder) => existsSync(folder))).toEqual([true, true, true])
    expect(existsSync(gone)).toBe(false)
    expect(json.errors).toHaveLength(3)
    expect((json.kept as Json[]).map(({ pinned }) => pinned)).toEqual([false, false, false])
  })
})

describe('zcl validate', () => {
  async function check(attempt: StartedAttempt): Promise<Json> {
    return (await project.json(['validate', attempt.folder])).json
  }

  it.each(['attempt.json', 'feedback.json'])(
    'reports %s that is not UTF-8 as invalid JSON',
    async (name) => {
      const attempt = await project.complete()
      const bytes = readFileSync(attempt.file(name))
      bytes[bytes.indexOf('hello')] = 0xff
      writeFileSync(attempt.file(name), bytes)
      expect(codesOf(await check(attempt))).toContain('ZCL_E_INVALID_JSON')
    },
  )

  it.each(['captures', 'captures/cli', 'attempt.env.sh', 'runner.stdout.log'])(
    'reports the artifact %s that links out of the run as a containment error',
    async (name) => {
      const attempt = await project.complete()
      mkdirSync(path.dirname(attempt.file(name)), { recursive: true })
      symlinkSync('/etc', attempt.file(name))
      expect(codesOf(await check(attempt))).toEqual(['ZCL_E_CONTAINMENT'])
    },
  )

  it('detects a capture that was edited after it was stored', async () => {
    const attempt = await project.complete()
    await project.zcl(['run', '--capture', '--', 'echo', 'kept'], { env: attempt.env })
    expect(codesOf(await check(attempt), 'warnings')).toEqual([])
    const index = JSON.parse(readFileSync(attempt.file('captures.jsonl'), 'utf8')) as Json
    writeFileSync(attempt.file(String(index.stdoutPath)), 'KEPT\n')
    expect(codesOf(await check(attempt), 'warnings')).toEqual(['ZCL_W_CONTRACT'])
  })

  it('reports a secret in a stored runner log as unsafe evidence', async () => {
    const attempt = await project.complete()
    writeFileSync(attempt.file('runner.stdout.log'), `token ${secret}\n`)
    const json = await check(attempt)
    expect(codesOf(json, 'warnings')).toEqual(['ZCL_W_UNSAFE_EVIDENCE'])
  })
})

describe('a folder without read or write permission', () => {
  const zcl = (words: string[], env = {}) =>
    runUnprivileged('zcl', words, {
      cwd: project.folder,
      env: { ...cleanEnvironment(), HOME: project.home, ...env },
    })

  it('stops zcl run before the command starts', async () => {
    const attempt = await project.complete()
    chmodSync(attempt.folder, 0o555)
    const ran = await zcl(['run', '--', 'touch', 'happened'], attempt.env)
    chmodSync(attempt.folder, 0o755)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^ZCL_E_IO: [^\n]+\n$/)
    expect(existsSync(path.join(project.folder, 'happened'))).toBe(false)
  })

  it('is an error of zcl validate with exit 1, for the attempt and for its run', async () => {
    const attempt = await project.complete()
    chmodSync(attempt.folder, 0o000)
    const targets = [attempt.folder, attempt.runFolder]
    const asked = targets.map((target) => zcl(['validate', '--json', target]))
    const answers = await Promise.all(asked)
    chmodSync(attempt.folder, 0o755)
    for (const { code, stdout } of answers) {
      expect(code).toBe(1)
      expect(codesOf(JSON.parse(stdout) as Json)).toContain('ZCL_E_IO')
    }
  })
})

describe('zcl report', () => {
  it.each(['tool.calls.jsonl', 'attempt.json', 'feedback.json'])(
    'refuses an unknown version in %s with --strict and its code',
    async (name) => {
      const attempt = await project.complete()
      const text = readFileSync(attempt.file(name), 'utf8')
      writeFileSync(attempt.file(name), text.replace(/"(v|schemaVersion)":( ?)1/, '"$1":$22'))
      const ran = await project.zcl(['report', '--strict', '--json', attempt.folder])
      expect(ran.code).toBe(2)
      expect(ran.err).toMatch(/^ZCL_E_SCHEMA_UNSUPPORTED: [^\n]+\n$/)
      expect(existsSync(attempt.file('attempt.report.json'))).toBe(false)
    },
  )
})

describe('zcl enrich', () => {
  it('stores no secret from the log of a runner', async () => {
    const attempt = await project.start()
    const line = (type: string, payload: object) => JSON.stringify({ type, payload })
    const lines = [
      line('session_meta', { id: secret, model_provider: secret }),
      line('turn_context', { model: `gpt ${secret}` }),
    ]
    const log = project.write('rollout.jsonl', `${lines.join('\n')}\n`)
    const ran = await project.json([
      'enrich',
      '--runner',
      'codex',
      '--rollout',
      log,
      attempt.folder,
    ])
    const stored = ['runner.ref.json', 'runner.metrics.json'].map((name) =>
      readFileSync(attempt.file(name), 'utf8'),
    )
    expect([...stored, ran.out].join('')).not.toContain(secret)
    expect(readJson(attempt.file('runner.metrics.json')).model).toBe('gpt [REDACTED:GITHUB_TOKEN]')
  })
})

describe('standard output on a full disk', () => {
  const onFullDisk = (words: readonly string[], env: Record<string, string> = {}) =>
    spawnSync('sh', ['-c', `"$0" "$@" > /dev/full`, builtProgram('zcl'), ...words], {
      cwd: project.folder,
      env: { ...cleanEnvironment(), HOME: project.home, ...env },
      encoding: 'utf8',
    })

  it.each(['contract', 'init', 'attempt list', 'runs list', 'gc'])(
    'gives one error line and exit 1: zcl %s',
    (words) => {
      const ran = onFullDisk([...words.split(' '), '--json'])
      expect(ran.stderr).toMatch(/^ZCL_E_IO: [^\n]+\n$/)
      expect(ran.status).toBe(1)
    },
  )

  it('gives one error line and exit 1 for zcl run --envelope, and the call is recorded', async () => {
    const attempt = await project.start()
    const ran = onFullDisk(['run', '--envelope', '--json', '--', 'true'], attempt.env)
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(/^ZCL_E_IO: [^\n]+\n$/)])
    expect(attempt.last().result.ok).toBe(true)
  })
})
