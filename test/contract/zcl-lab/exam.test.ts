import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LabProject, type SuiteRun } from './lab-project.ts'

let lab: LabProject
let run: SuiteRun
let elsewhere: string

/** One agent for all missions: it does what the mission is called. */
const agent = `[ "$ZCL_MISSION_ID" = right ] && rm -r "$GONE"
case "$ZCL_MISSION_ID" in
  right|from-git|from-archive) echo right > answer.txt;;
  wrong|kept) echo wrong > answer.txt;;
  excused) echo wrong > answer.txt; echo 'HTTP 429' >&2; echo 'ZCL_E_RUNTIME_AUTH: no' >&2; exit 1;;
  pretender) echo wrong > answer.txt; zcl run -- true; zcl feedback --ok --result right >/dev/null;;
  modest) echo right > answer.txt; zcl run -- true; zcl feedback --fail --result no >/dev/null;;
  scored) zcl run -- echo SEKRIT42 >/dev/null; zcl feedback --ok --result-json '{"n":41.6}' >/dev/null;;
  nothing) zcl run -- true; zcl feedback --ok --result-json null >/dev/null;;
  claimed) zcl feedback --ok --result 42 >/dev/null;;
  here) echo right > answer.txt;;
  planted) mkdir -p "$ZCL_OUT_DIR/workspace.json/x" "$ZCL_OUT_DIR/verify.result.json/x";;
  erased) rm -rf "$ZCL_OUT_DIR"; exit 0;;
  blocked) mkfifo "$ZCL_OUT_DIR/tool.calls.jsonl"; rm "$ZCL_OUT_DIR/attempt.json"; mkfifo "$ZCL_OUT_DIR/attempt.json";;
  replaced) dir=$PWD; cd /; rm -r "$dir"; ln -s "$ZCL_OUT_DIR" "$dir"; exit 0;;
esac
pwd >> "$ZCL_OUT_DIR/where"; ls -A > "$ZCL_OUT_DIR/seen"`

beforeAll(async () => {
  lab = new LabProject()
  lab.write('ws/given.txt', 'given\n')
  const gone = path.dirname(lab.write('gone/file', ''))
  const extraRules = [{ id: 'own', regex: 'SEKRIT[0-9]+' }]
  lab.write('zcl.config.json', { schemaVersion: 1, redaction: { extraRules } })
  lab.write('verifier/check.sh', 'grep -qx right answer.txt && echo \'{"ok":true,"score":1}\'\n')
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path.join(lab.folder, 'repo') })
  lab.write('repo/file', 'old')
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'one')
  lab.write('repo/file', 'uncommitted')
  execFileSync('tar', ['-czf', '../ws.tgz', 'given.txt'], { cwd: path.join(lab.folder, 'ws') })
  const verify = [{ command: 'sh verifier/check.sh', files: ['verifier'] }]
  const only = { verify: [], workspace: { path: 'ws' } }
  lab.suite(
    [
      { missionId: 'right' },
      { missionId: 'wrong' },
      { missionId: 'kept', workspace: { path: 'ws', retain: 'on_failure' } },
      { missionId: 'pretender' },
      { missionId: 'modest' },
      { missionId: 'excused' },
      { missionId: 'from-git', workspace: { git: 'repo#HEAD' } },
      { missionId: 'from-archive', workspace: { archive: 'ws.tgz' } },
      {
        missionId: 'scored',
        ...only,
        score: { tolerance: { value: 42, within: 0.5, path: '$.n' } },
      },
      { missionId: 'nothing', ...only, score: { exact: null } },
      { missionId: 'claimed', ...only, score: { exact: '42' } },
      { missionId: 'nowhere', workspace: { path: 'gone' } },
      { missionId: 'here', workspace: { path: '.' } },
      ...['planted', 'erased', 'blocked', 'replaced'].map((missionId) => ({ missionId })),
    ],
    { workspace: { path: 'ws' }, verify },
  )
  elsewhere = lab.agent(agent)
  run = await lab.suiteRun(['--parallel', '2'], [elsewhere], { GONE: gone })
}, 120_000)
afterAll(() => lab.remove())

const outcomes = () => Object.fromEntries(run.json.attempts.map((each) => [each.missionId, each]))
const attempt = (mission: string) => outcomes()[mission]?.attemptId ?? ''
const text = (mission: string, name: string) =>
  readFileSync(path.join(run.folder, 'attempts', attempt(mission), name), 'utf8')

describe('the exam room', () => {
  test('lets the verifier decide, whatever the agent claims', () => {
    expect(outcomes()).toMatchObject({
      right: { outcome: 'passed' },
      wrong: { outcome: 'failed', code: 'ZCL_E_VERIFY_FAILED' },
      pretender: { outcome: 'failed', code: 'ZCL_E_VERIFY_FAILED' },
      modest: { outcome: 'passed' },
      // What an agent prints does not turn wrong work into a failure of the infrastructure.
      excused: { outcome: 'failed', code: 'ZCL_E_VERIFY_FAILED' },
      'from-git': { outcome: 'passed' },
      'from-archive': { outcome: 'passed' },
    })
    expect(lab.artifact(run, attempt('right'), 'verify.result.json')).toMatchObject({
      ok: true,
      steps: [{ exitCode: 0, score: 1, stdout: '{"ok":true,"score":1}\n' }],
    })
  })

  test('scores an answer, which still needs a recorded action', () => {
    expect(outcomes()).toMatchObject({
      scored: { outcome: 'passed' },
      nothing: { outcome: 'passed' },
      claimed: { outcome: 'failed', code: 'ZCL_E_UNPROVEN' },
    })
    expect(lab.artifact(run, attempt('scored'), 'score.result.json')).toMatchObject({
      findings: [{ scorer: 'tolerance', ok: true }],
    })
  })

  test('applies the redaction rules of the project in workspaces too', () => {
    expect(text('scored', 'tool.calls.jsonl')).toContain('[REDACTED:OWN]')
    expect(text('scored', 'tool.calls.jsonl')).not.toContain('SEKRIT42')
  })

  test('gives each attempt a folder of its own, which shows the source and no verifier', () => {
    expect(text('right', 'seen')).toBe('answer.txt\ngiven.txt\n')
    expect(text('from-git', 'seen')).toBe('answer.txt\nfile\n')
    expect(text('from-archive', 'seen')).toBe('answer.txt\ngiven.txt\n')
    const folders = ['right', 'wrong', 'modest'].map((mission) => text(mission, 'where'))
    expect(new Set(folders).size).toBe(3)
    expect(existsSync(text('right', 'where').trim())).toBe(false)
  })

  test('stores what the agent changed, and keeps the workspace only as asked', () => {
    expect(text('right', 'workspace.diff')).toBe(
      '--- /dev/null\n+++ b/answer.txt\n@@ -0,0 +1 @@\n+right\n',
    )
    expect(lab.artifact(run, attempt('from-git'), 'workspace.json')).toMatchObject({
      source: { kind: 'git', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      retained: false,
      changes: { added: 1, modified: 0, deleted: 0 },
    })
    expect(text('kept', 'workspace/answer.txt')).toBe('wrong\n')
    expect(existsSync(path.join(run.folder, 'attempts', attempt('right'), 'workspace'))).toBe(false)
    expect(readdirSync(path.join(lab.outRoot, 'tmp/workspaces'))).toEqual([])
  })

  test('copies the folder of the suite without the suite and the output root', () => {
    expect(outcomes().here).toMatchObject({ outcome: 'passed' })
    const seen = text('here', 'seen').split('\n')
    expect(seen).toEqual(expect.arrayContaining(['answer.txt', 'repo', 'ws', 'ws.tgz']))
    for (const name of ['.zcl', 'suite.json', 'verifier']) expect(seen).not.toContain(name)
  })

  test('goes on after an agent that damages the files of the harness, and says so', () => {
    const forged = { outcome: 'failed', code: 'ZCL_E_FORGED_EVIDENCE' }
    expect(outcomes()).toMatchObject({
      planted: forged,
      erased: forged,
      blocked: forged,
      replaced: { outcome: 'failed', code: 'ZCL_E_VERIFY_FAILED' },
    })
    expect(lab.artifact(run, attempt('planted'), 'harness.record.json')).toMatchObject({
      changed: ['verify.result.json', 'workspace.json'],
    })
    expect(lab.artifact(run, attempt('erased'), 'attempt.json')).toMatchObject({
      missionId: 'erased',
    })
  })

  test('reports a workspace whose source vanishes during the run as a typed infra failure', () => {
    expect(outcomes().nowhere).toMatchObject({ outcome: 'infra', code: 'ZCL_E_WORKSPACE' })
  })

  test('leaves evidence that validates in strict mode', async () => {
    const { code, json } = await lab.json([
      'validate',
      '--strict',
      path.join(run.folder, 'attempts', attempt('right')),
    ])
    expect([code, json.errors]).toEqual([0, []])
  })
})

test('a suite takes its missions from a dataset, samples them, and asks a judge model', async () => {
  const other = new LabProject()
  try {
    other.write('q.csv', 'id,question\na,Say hi\nb,Say bye\nc,Say more\n')
    other.write('judge.jsonl', `${JSON.stringify({ text: '{"ok":false,"reason":"rude"}' })}\n`)
    const judge = { provider: 'script', model: 'judge.jsonl', rubric: 'Be polite.', votes: 3 }
    other.write('suite.json', { suiteId: 'demo', judge, missions: { from: 'q.csv' } })
    const agent = other.agent('zcl run -- true; zcl feedback --ok --result hey >/dev/null')
    const ran = await other.suiteRun(['--sample', '1', '--seed', '5'], [agent])
    expect(ran.json.attempts).toMatchObject([{ outcome: 'failed', code: 'ZCL_E_JUDGE_FAILED' }])
    const [attemptId = ''] = other.attempts(ran)
    const votes = Array.from({ length: 3 }, () => ({ ok: false, cached: false, reason: 'rude' }))
    expect(other.artifact(ran, attemptId, 'judge.result.json')).toMatchObject({ ok: false, votes })
    const replayed = await other.json(['judge', 'latest'])
    expect(replayed).toMatchObject({ code: 0, json: { verdict: false, matches: true, no: 3 } })
  } finally {
    other.remove()
  }
})
