import { existsSync, readdirSync, writeFileSync, readFileSync, cpSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'
import { readJson, until } from '../zcl/project.ts'
import { runAlone, runCrowd } from './crowd.ts'
import { fromFile, isRunning, LabProject, quickRunner } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

describe('workers over the embedded queue', () => {
  test('that are killed at random give one counted outcome per planned attempt and the totals of one process', async () => {
    const crowd = { attempts: 20, workers: 3, kills: 4, queue: [], deadlineMs: 120_000 }
    const result = await runCrowd(lab, crowd)
    expect(result.wrong).toEqual([])
    expect(result.killed).toBeGreaterThan(0)
    expect(result.totals).toMatchObject({ passed: 14, failed: 6, infra: 0, pending: 0 })
    expect(result.totals).toEqual(await runAlone(lab, crowd.attempts))
  }, 180_000)

  test('end the orphaned runner of a killed starter, mark its try as abandoned and finish the run', async () => {
    const body = `[ -f go ] || { zcl feedback --ok --result early; echo $$ > pid; sleep 60; }
echo '{"ok":true,"result":"x"}' > "$ZCL_OUT_DIR/mission.result.json"`
    const flags = [...fromFile, '--allow-unproven']
    const args = ['suite', 'run', '--file', lab.suite(), ...flags, '--', lab.agent(body)]
    const pidFile = path.join(lab.folder, 'pid')
    const isWritten = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n')
    await lab.zcl(args, {
      onStart: (child) => void until(isWritten, 'the runner').then(() => child.kill('SIGKILL')),
    })
    lab.write('go', '')
    const worker = await lab.json(['worker'])
    expect(worker.json).toMatchObject({ ok: true, attempts: 1, passed: 1 })
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await until(() => !isRunning(pid), 'the end of the runner that was left')
    const [runId = ''] = readdirSync(path.join(lab.outRoot, 'runs'))
    const run = { folder: lab.runFolder(runId) }
    expect(lab.attempts(run)).toEqual(['001-one-r1', '001-one-r2'])
    const outcomeOf = (id: string) => lab.artifact(run, id, 'attempt.outcome.json').outcome
    expect([outcomeOf('001-one-r1'), outcomeOf('001-one-r2')]).toEqual(['abandoned', 'passed'])
    expect(readJson(path.join(run.folder, 'suite.run.summary.json'))).toMatchObject({
      ok: true,
      passed: 1,
      pending: 0,
      attempts: [{ attemptId: '001-one-r2' }],
    })
    expect(readdirSync(path.join(lab.outRoot, 'queue'))).toEqual([])
    const report = await lab.json(['report', run.folder])
    expect(report.json).toMatchObject({
      ok: true,
      attempts: [{ attemptId: '001-one-r1', ok: true, abandoned: true }, { ok: true }],
      aggregate: { attemptsTotal: 1, passed: 1, abandoned: 1, task: { passed: 1, unknown: 0 } },
    })
    const junit = await lab.zcl(['export', '--format', 'junit', run.folder])
    expect(junit.out).toContain('tests="2" failures="0" errors="0" skipped="1"')
    const stats = await lab.json(['stats', runId])
    expect(stats.json.suites).toMatchObject([{ rate: { passed: 1, judged: 1 }, infra: 0 }])
  })

  test('print one line that names the missing packages when --queue needs Redis', async () => {
    const alone = path.join(lab.root, 'alone')
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(path.join(repository, 'packages/zcl', part), path.join(alone, part), {
        recursive: true,
      })
    }
    const args = [
      'suite',
      'run',
      '--file',
      lab.suite(),
      '--queue',
      'redis://127.0.0.1:1',
      '--',
      'true',
    ]
    const ran = await runFile(process.execPath, [path.join(alone, 'bin/zcl.cjs'), ...args], {
      cwd: lab.folder,
      env: { HOME: lab.home, NODE_PATH: undefined },
    })
    expect([ran.code, ran.stderr]).toEqual([
      1,
      'ZCL_E_QUEUE: a queue on Redis needs two more packages beside zcl: npm install -g bullmq ioredis\n',
    ])
  })

  test('report each run that they cannot join once, and do not block other runs', async () => {
    const mark = (runId: string) =>
      lab.write(`.zcl/queue/${runId}/queue.json`, { schemaVersion: 1, runId, kind: 'folder' })
    const gone = '20200101-000000Z-000001'
    mark(gone)
    const token = `--token=ghp_${'a1'.repeat(18)}`
    const other = await lab.suiteRun([...fromFile, '--total', '1'], [...quickRunner, token])
    mark(other.json.runId)
    const told = (err: string) => err.match(/^ZCL_W_RUN_SKIPPED: /gm)?.length ?? 0
    expect(told((await lab.zcl(['worker'])).err)).toBe(2)
    // Long enough for two polls.
    const watching = await lab.zcl(['worker', '--watch'], {
      onStart: (child) => void setTimeout(() => child.kill('SIGTERM'), 3500),
    })
    expect([watching.code, told(watching.err)]).toEqual([143, 2])
    expect((await lab.zcl(['worker', '--run-id', gone])).err).toMatch(/^ZCL_E_USAGE: /)
  })

  test('end at once without work', async () => {
    const { code, json } = await lab.json(['worker'])
    expect([code, json.attempts]).toEqual([0, 0])
  })
})

describe('jobs for machines that do not see the output root', () => {
  const plan = async (flags: string[] = []) => {
    const suite = lab.suite([{ missionId: 'a', prompt: 'p' }, { missionId: 'b' }])
    const args = [
      'suite',
      'plan',
      '--file',
      suite,
      '--jobs',
      'jobs',
      ...fromFile,
      '--allow-unproven',
      ...flags,
      '--json',
    ]
    const ran = await lab.zcl([...args, '--', ...quickRunner])
    return JSON.parse(ran.out) as { runId: string; jobs: { path: string; attemptId: string }[] }
  }
  const work = (job: string, root: string) =>
    lab.zcl(['worker', '--job', job, '--out-root', root, '--pack', 'packed', '--json'])

  test('are run on another machine, packed, collected and counted once', async () => {
    const { runId, jobs } = await plan()
    expect(jobs.map(({ attemptId }) => attemptId)).toEqual(['001-a-r1', '002-b-r1'])
    for (const { path: job } of jobs) {
      const ran = await work(job, 'elsewhere')
      expect([ran.code, JSON.parse(ran.out)]).toMatchObject([0, { outcome: 'passed', runId }])
    }
    const collected = await lab.json(['collect', 'packed'])
    expect(collected).toMatchObject({
      code: 0,
      json: { ok: true, collected: 2, duplicates: 0, runs: [{ passed: 2, pending: 0 }] },
    })
    const again = await lab.json(['collect', 'packed'])
    expect(again.json).toMatchObject({ collected: 0, duplicates: 2, runs: [{ passed: 2 }] })
    const run = { folder: lab.runFolder(runId) }
    expect(lab.attempts(run)).toEqual(['001-a-r1', '002-b-r1'])
    expect((await lab.json(['validate', run.folder])).code).toBe(0)
    expect(readFileSync(path.join(run.folder, 'attempts/001-a-r1/prompt.txt'), 'utf8')).toBe('p')
  })

  test('cover only slots without an answer when planned again, as the next try', async () => {
    const { runId, jobs } = await plan()
    await work(jobs[0]?.path ?? '', 'elsewhere')
    await lab.zcl(['collect', 'packed'])
    const again = await plan(['--run-id', runId])
    expect(again.jobs.map(({ attemptId }) => attemptId)).toEqual(['002-b-r1'])
  })

  test('write the attempt into the run when the output root is visible', async () => {
    const { runId, jobs } = await plan()
    const ran = await lab.json(['worker', '--job', jobs[0]?.path ?? ''])
    expect(ran.json).toMatchObject({ ok: true, attemptId: '001-a-r1' })
    expect(ran.json.packed).toBeUndefined()
    expect(lab.attempts({ folder: lab.runFolder(runId) })).toEqual(['001-a-r1'])
  })

  test('are refused by zcl collect when damaged, foreign or hostile, and nothing is written', async () => {
    const { runId, jobs } = await plan()
    await work(jobs[0]?.path ?? '', 'elsewhere')
    const folder = path.join(lab.folder, 'packed')
    const [name = ''] = readdirSync(folder)
    const good = path.join(folder, name)
    const tar = gunzipSync(readFileSync(good))
    const hostile = Buffer.from(tar)
    const at = hostile.indexOf('attempt.json')
    Buffer.from('../../../pwn').copy(hostile, at)
    writeFileSync(path.join(folder, 'hostile.zcl.tgz'), gzipSync(withSums(hostile)))
    writeFileSync(path.join(folder, 'cut.zcl.tgz'), gzipSync(tar.subarray(0, 700)))
    writeFileSync(path.join(folder, 'none.zcl.tgz'), 'no gzip')
    const { code, json, err } = await lab.json(['collect', 'packed', '--out-root', '.zcl'])
    expect([code, json]).toMatchObject([2, { ok: false, collected: 1, refused: 3 }])
    expect(err).toMatch(/^ZCL_E_CONTAINMENT: packed\/hostile/m)
    expect(err).toMatch(/^ZCL_E_CONTRACT: packed\/none/m)
    expect(existsSync(path.join(lab.folder, 'pwn'))).toBe(false)
    expect(lab.attempts({ folder: lab.runFolder(runId) })).toEqual(['001-a-r1'])
    cpSync(path.join(lab.folder, '.zcl'), path.join(lab.folder, 'copy'), { recursive: true })
    expect((await lab.json(['validate', path.join(lab.folder, 'copy/runs', runId)])).code).toBe(0)
  })

  test('are refused when invalid or when their ids do not match', async () => {
    lab.write('x.json', { kind: 'zcl.job', schemaVersion: 1 })
    lab.write('y.json', 'nothing')
    for (const file of ['x.json', 'y.json', 'absent.json']) {
      const ran = await lab.zcl(['worker', '--job', file])
      expect([ran.code, ran.err]).toMatchObject([expect.any(Number), /^ZCL_E_/])
      expect(ran.code).not.toBe(0)
    }
    const { jobs } = await plan()
    const job = readJson(path.join(lab.folder, jobs[0]?.path ?? ''))
    lab.write('z.json', { ...job, attemptId: '009-a-r1' })
    expect((await lab.zcl(['worker', '--job', 'z.json'])).err).toMatch(/^ZCL_E_CONTRACT: /)
  })
})

/** Recomputes the checksum of the first header. */
function withSums(tar: Buffer): Buffer {
  const head = tar.subarray(0, 512)
  head.fill(0x20, 148, 156)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return tar
}
