// Creates pages of evidence, a session and a trajectory with the programs. Their contents include
// hostile texts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { currentProcess } from '@zee/core/identity'
import { Project, type StartedAttempt } from '../contract/zcl/project.ts'
import { createSandbox as createZdx } from '../contract/zdx/sandbox.ts'
import { createSandbox as createZeno } from '../contract/zeno/sandbox.ts'
import { builtProgram } from '../support/paths.ts'
import { hostileTexts } from '../contract/pages/page-file.ts'

export interface PageSet {
  run: string
  attempt: string
  large: string
  bare: string
  empty: string
  /** A run of 100 of 120 planned attempts; a process works on it. */
  dense: string
  comparison: string
  session: string
  trajectory: string
  project: Project
  first: StartedAttempt
  remove(): Promise<void>
}

export const manyCalls = 5000

export async function makePages(): Promise<PageSet> {
  const project = new Project()
  const first = await project.start(['--prompt', 'Say hello.'])
  for (const text of hostileTexts) await project.run(first, ['printf', '%s', text])
  for (let index = 0; index < 3; index++) await project.run(first, ['false', hostileTexts[1]])
  await project.run(first, ['sh', '-c', `${builtProgram('zcl')} run -- echo nested`])
  await project.zcl(['note', '--message', hostileTexts[0]], { env: first.env })
  writeWords(first)
  writeFileSync(first.file('runner.metrics.json'), JSON.stringify({ costUsd: 0.25 }))
  await project.zcl(['feedback', '--fail', '--result', hostileTexts[3]], { env: first.env })
  await project.complete(['--run-id', first.runId, '--retry', '2', '--prompt', 'Say hello.'])
  const second = await project.complete(['--prompt', 'Say hello.'])
  const large = await project.start()
  writeManyCalls(large)
  const view = async (name: string, ...args: string[]): Promise<string> => {
    const file = path.join(project.folder, name)
    const { code, err } = await project.zcl(['view', ...args, '--out', file])
    if (code !== 0) throw new Error(err)
    return pathToFileURL(file).href
  }
  const others = [await makeSession(), await makeTrajectory()] as const
  return {
    run: await view('run.html', first.runFolder),
    attempt: await view('attempt.html', first.folder),
    large: await view('large.html', large.folder),
    bare: await view('bare.html', (await project.start()).folder),
    empty: await view('empty.html', emptyRun(project)),
    dense: await view('dense.html', denseRun(project)),
    comparison: await view('comparison.html', first.runFolder, second.runFolder),
    session: others[0].url,
    trajectory: others[1].url,
    project,
    first,
    async remove() {
      project.remove()
      others[0].remove()
      await others[1].remove()
    },
  }
}

function emptyRun(project: Project): string {
  const createdAt = '2026-01-01T00:00:00.000Z'
  const run = { schemaVersion: 1, runId: '20260101-000000Z-aaaaaa', suiteId: 'none', createdAt }
  return path.dirname(project.write('20260101-000000Z-aaaaaa/run.json', run))
}

/** The last attempt has no outcome yet; the test itself holds its lease. */
function denseRun(project: Project): string {
  const runId = '20260102-000000Z-bbbbbb'
  const createdAt = '2026-01-02T00:00:00.000Z'
  const ids = { schemaVersion: 1, runId, suiteId: 'dense' }
  const folder = `.zcl/runs/${runId}`
  for (let index = 1; index <= 100; index++) {
    const attemptId = `${String(index).padStart(3, '0')}-steps-r${index}`
    const attempt = { ...ids, missionId: 'steps', attemptId, mode: 'discovery' }
    const startedAt = new Date(Date.parse(createdAt) + index * 1000).toISOString()
    project.write(`${folder}/attempts/${attemptId}/attempt.json`, { ...attempt, startedAt })
    if (index === 100) continue
    const feedback = { ...attempt, ok: index % 4 !== 0, result: 'done', createdAt: startedAt }
    project.write(`${folder}/attempts/${attemptId}/feedback.json`, feedback)
  }
  project.write(`${folder}/suite.run.plan.json`, { ...ids, total: 120, createdAt })
  project.write(`.zcl/queue/${runId}/leased/100.lock`, currentProcess())
  return path.dirname(project.write(`${folder}/run.json`, { ...ids, createdAt }))
}

/** What the agent said before the first call, after the first, and at the end. */
function writeWords({ folder }: StartedAttempt): void {
  const words = [0, 1, 100].map((afterCalls) => ({
    ...{ v: 1, ts: '2026-01-01T00:00:00Z', role: 'assistant', kind: 'text' },
    ...{ text: `Words after ${afterCalls} calls. ${hostileTexts[0]}`, afterCalls },
  }))
  writeFileSync(
    path.join(folder, 'messages.jsonl'),
    words.map((each) => `${JSON.stringify(each)}\n`).join(''),
  )
}

/** Writes the trace in the format of the funnel, without starting 5,000 programs. */
function writeManyCalls(attempt: StartedAttempt): void {
  const { runId, attemptId } = attempt
  const from = Date.UTC(2026, 10, 15)
  const lines = Array.from({ length: manyCalls }, (_none, index) => {
    const ok = index % 50 !== 7
    return JSON.stringify({
      v: 1,
      ts: new Date(from + index * 40).toISOString(),
      runId,
      missionId: 'hello',
      attemptId,
      tool: 'cli',
      op: 'exec',
      input: { argv: ['step', String(index + 1)] },
      result: {
        ok,
        ...(ok ? { exitCode: 0 } : { code: 'ZCL_E_TOOL_FAILED', exitCode: 1 }),
        durationMs: (index * 7) % 90,
      },
      io: { outBytes: 8, errBytes: 0, outPreview: `out ${index + 1}\n` },
      redactionsApplied: [],
    })
  })
  writeFileSync(attempt.file('tool.calls.jsonl'), `${lines.join('\n')}\n`)
}

async function makeSession() {
  const box = createZdx()
  const ts = '2026-11-15T10:00:00.000Z'
  const receipt = {
    provider: 'script',
    model: 'play',
    usage: { input_tokens: 12, output_tokens: 3 },
  }
  const answer = [
    '# A heading',
    'Some **bold** text, `code` and [a link](https://example.com/).',
    hostileTexts[0],
    hostileTexts[1],
    '[bad](javascript:window.pwned=1)',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '- [x] done\n- [ ] open',
    '```ts\nconst price = 12 // dollars\n```',
  ].join('\n\n')
  box.writeSession('talk', [
    { type: 'meta', schema_version: 1, ts },
    { type: 'message', role: 'user', text: `Please look. ${hostileTexts[1]}`, ts },
    { type: 'thinking', text: 'Hm.', provider: 'script', ts },
    {
      type: 'tool_use',
      id: 't1',
      name: 'edit',
      input: { path: 'a.ts', old: 'one', new: hostileTexts[0] },
      ts,
      ...receipt,
      cost_usd: 0.0123,
    },
    {
      type: 'tool_result',
      tool_use_id: 't1',
      output: { ok: true, data: { path: 'a.ts' } },
      ok: true,
      ts: '2026-11-15T10:00:01.500Z',
    },
    { type: 'message', role: 'assistant', text: answer, ts, ...receipt },
    { type: 'message', role: 'user', text: 'Thanks.', ts },
    { type: 'message', role: 'assistant', text: 'Welcome.', ts },
  ])
  const file = path.join(box.root, 'talk.html')
  await box.zdx(['sessions', 'export', 'talk', '--format', 'html', '--out', file])
  return { url: pathToFileURL(file).href, remove: () => box.remove() }
}

async function makeTrajectory() {
  const box = createZeno()
  for (let index = 0; index < 40; index++) {
    const folder = path.join(box.root, `part-${index % 5}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `file-${index}.ts`), `needle ${index}\n`.repeat(index + 1))
  }
  writeFileSync(path.join(box.root, '<img src=x onerror=alert(1)>.ts'), 'needle\n')
  const log = path.join(box.base, 'trace.jsonl')
  const requests = [
    { id: 'a', op: 'list_files', args: { glob: 'part-1/*' } },
    { id: 'b', op: 'grep', args: { pattern: 'needle', paths: ['part-2/*'] } },
    { id: 'c', op: 'read_file', args: { path: 'part-3/file-3.ts', start_line: 1, end_line: 2 } },
    { id: 's', op: 'event', args: { event: 'subcall_start', call_id: 'c1' } },
    { id: 'd', op: 'read_file', args: { path: hostileTexts[1] } },
    { id: 't', op: 'event', args: { event: 'subcall_end', call_id: 'c1', ok: true } },
    {
      id: 'e',
      op: 'event',
      args: { event: 'claim', claim_id: 'k', claim: hostileTexts[0], evidence: ['c', 'x'] },
    },
  ]
  const input = requests.map((each) => `${JSON.stringify(each)}\n`).join('')
  await box.zeno(['serve', '--root', box.root, '--log', log, '--budget', 'ops=20'], { input })
  await box.zeno(['view', '--log', log, '--root', box.root])
  const file = path.join(box.base, 'trace.html')
  readFileSync(file)
  return { url: pathToFileURL(file).href, remove: () => box.remove() }
}
