// `zcl view`: pages of runs, attempts and comparisons.
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesBelow, Project, type StartedAttempt } from '../zcl/project.ts'
import { expectSelfContained, hostileTexts, readPage, readPageFile } from './page-file.ts'

const project = new Project()
afterAll(() => project.remove())

let first: StartedAttempt
let second: StartedAttempt
beforeAll(async () => {
  first = await project.complete(['--prompt', hostileTexts[0]])
  for (const text of hostileTexts) await project.run(first, ['printf', '%s', text])
  await project.zcl(['note', '--message', hostileTexts[1]], { env: first.env })
  second = await project.complete(['--prompt', hostileTexts[0]])
})

interface RunData {
  run: { runId: string; suiteId: string }
  rate: { passed: number; judged: number; low: number; high: number }
  missions: { missionId: string }[]
  attempts: {
    attemptId: string
    outcome: string
    isValid: boolean
    prompt: { text: string }
    notes: { text: string }[]
    calls: { line: number; title: string; code?: string; exit?: number }[]
  }[]
}

function runData(file: string): RunData {
  return readPageFile(file).data as unknown as RunData
}

describe('zcl view of a run', () => {
  it('writes run.html beside the evidence and prints its path', async () => {
    const { code, out } = await project.zcl(['view', first.runFolder])
    const file = path.join(first.runFolder, 'run.html')
    expect(code).toBe(0)
    expect(out).toContain(path.relative(project.folder, file))
    expectSelfContained(readPageFile(file))
    const { run, attempts, missions, rate } = runData(file)
    expect(run).toMatchObject({ runId: first.runId, suiteId: 'smoke' })
    expect(missions.map(({ missionId }) => missionId)).toEqual(['hello'])
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({ attemptId: first.attemptId, outcome: 'passed' })
    // One attempt says nothing about the range of the rate.
    expect(rate).toEqual({ passed: 1, judged: 1, rate: 1 })
  })

  it('accepts the id of a run', async () => {
    const { code } = await project.zcl(['view', first.runId, '--out', 'by-id.html'])
    expect(code).toBe(0)
    expect(runData(path.join(project.folder, 'by-id.html')).run.runId).toBe(first.runId)
  })

  it('changes no evidence', async () => {
    const before = filesBelow(first.runFolder)
    await project.zcl(['view', first.runFolder])
    const { 'run.html': page, ...after } = filesBelow(first.runFolder)
    delete before['run.html']
    expect(after).toEqual(before)
    expect(page).toBeDefined()
    expect((await project.zcl(['validate', first.runFolder])).code).toBe(0)
  })

  it('shows a run without attempts', async () => {
    const empty = path.join(project.folder, 'empty')
    project.write('empty/run.json', {
      schemaVersion: 1,
      runId: '20260101-000000Z-aaaaaa',
      suiteId: 'smoke',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    const { code } = await project.zcl(['view', empty, '--out', 'empty.html'])
    expect(code).toBe(0)
    expect(runData(path.join(project.folder, 'empty.html')).attempts).toEqual([])
  })
})

describe('zcl view of an attempt', () => {
  it('includes every call with line, outcome and output', async () => {
    const { json } = await project.json(['view', first.folder])
    expect(json.ok).toBe(true)
    const file = path.join(project.folder, json.path as string)
    const { calls, isValid } = runData(file).attempts[0] as RunData['attempts'][number]
    expect(isValid).toBe(true)
    expect(calls.slice(0, 2)).toMatchObject([
      { line: 1, title: 'echo one' },
      { line: 2, code: 'ZCL_E_TOOL_FAILED', exit: 3 },
    ])
    expect(calls).toHaveLength(2 + hostileTexts.length)
    const [texts] = readPageFile(file).parts as [unknown[]]
    expect(texts.slice(0, 2)).toEqual([
      ['one\n', 0, 0],
      ['two\n', 0, 0],
    ])
  })

  it('includes hostile texts unchanged and only as data', async () => {
    const { out } = await project.zcl(['view', first.folder, '--out', '-'])
    const page = readPage(out)
    expectSelfContained(page)
    const [attempt] = (page.data as unknown as RunData).attempts
    expect(attempt?.prompt.text).toBe(hostileTexts[0])
    const [texts = []] = page.parts as [string, ...unknown[]][][]
    expect(texts.slice(2).map(([out]) => out)).toEqual(hostileTexts)
    expect(attempt?.notes.at(-1)?.text).toBe(hostileTexts[1])
  })

  it('shows a tampered attempt as not valid', async () => {
    const attempt = await project.complete()
    await project.zcl(['report', attempt.folder])
    const trace = attempt.file('tool.calls.jsonl')
    writeFileSync(trace, readFileSync(trace, 'utf8').replace('"one\\n"', '"two\\n"'))
    await project.zcl(['view', attempt.folder, '--out', 'tampered.html'])
    const [shown] = runData(path.join(project.folder, 'tampered.html')).attempts
    expect(shown?.isValid).toBe(false)
    expect(JSON.stringify(shown)).toContain('ZCL_E_CHAIN_BROKEN')
  })

  it('redacts a secret that was written into the trace', async () => {
    const attempt = await project.complete()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const [line = '{}'] = readFileSync(attempt.file('tool.calls.jsonl'), 'utf8').split('\n')
    const event = JSON.parse(line) as { io: Record<string, unknown> }
    event.io.outPreview = secret
    appendFileSync(attempt.file('tool.calls.jsonl'), `${JSON.stringify(event)}\n`)
    const { out } = await project.zcl(['view', attempt.folder, '--out', '-'])
    expect(out).not.toContain(secret)
    expect(out).toContain('UNSAFE_EVIDENCE')
  })

  it('shows an attempt without outcome and calls', async () => {
    const attempt = await project.start()
    const { code } = await project.zcl(['view', attempt.folder, '--out', 'bare.html'])
    expect(code).toBe(0)
    const [shown] = runData(path.join(project.folder, 'bare.html')).attempts
    expect(shown).toMatchObject({ outcome: 'missing', calls: [] })
  })
})

describe('zcl view of two runs', () => {
  it('compares them', async () => {
    const args = ['view', first.runFolder, second.runFolder, '--out', 'both.html']
    const { code } = await project.zcl(args)
    expect(code).toBe(0)
    const page = readPageFile(path.join(project.folder, 'both.html'))
    expectSelfContained(page)
    expect(page.data.kind).toBe('comparison')
    expect(page.data).toMatchObject({
      sides: [{ runIds: [first.runId] }, { runIds: [second.runId] }],
      verdicts: [
        { name: 'on these missions', level: 'even' },
        { name: 'on missions like these', level: 'even' },
      ],
    })
  })

  it('rejects runs without a common mission', async () => {
    const other = await project.complete(['--prompt', 'something else'])
    const { code, err } = await project.zcl([
      'view',
      first.runFolder,
      other.runFolder,
      '--out',
      'y.html',
    ])
    expect(code).toBe(1)
    expect(err).toMatch(/^ZCL_E_NOT_COMPARABLE: /)
    expect(existsSync(path.join(project.folder, 'y.html'))).toBe(false)
  })

  it('requires --out', async () => {
    const { code, err } = await project.zcl(['view', first.runFolder, second.runFolder])
    expect(code).toBe(2)
    expect(err).toContain('--out')
  })
})

describe('zcl view rejects', () => {
  it.each([
    ['a folder without evidence', ['view', '.']],
    ['two attempts', ['view', 'ATTEMPT', 'ATTEMPT', '--out', 'x.html']],
    ['three runs', ['view', 'RUN', 'RUN', 'RUN', '--out', 'x.html']],
    ['a file and a server at once', ['view', 'RUN', '--out', 'x.html', '--serve']],
    ['a missing argument', ['view']],
  ])('%s', async (_what, args) => {
    const places: Record<string, string> = { RUN: first.runFolder, ATTEMPT: first.folder }
    const { code, out, err } = await project.zcl(args.map((arg) => places[arg] ?? arg))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(/^ZCL_E_USAGE: .*\n$/)
    expect(existsSync(path.join(project.folder, 'x.html'))).toBe(false)
  })

  it('a symlink in place of the page', async () => {
    const attempt = await project.complete()
    const target = project.write('elsewhere.txt', 'mine')
    symlinkSync(target, attempt.file('attempt.html'))
    const { code, err } = await project.zcl(['view', attempt.folder])
    expect(code).toBe(2)
    expect(err).toContain('ZCL_E_CONTAINMENT')
    expect(readFileSync(target, 'utf8')).toBe('mine')
  })
})
