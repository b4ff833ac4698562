// zcl under concurrency and SIGKILL: evidence is neither torn nor lost.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { asProcess } from '../run-here.ts'
import { cleanEnvironment, linesOf, Project, sha256, type Json } from './project.ts'

let project: Project
beforeEach(() => (project = new Project()))
afterEach(() => project.remove())

const rounds = Number(process.env.ZEE_ROUNDS ?? 6)
/** Processes at once; a start of Node costs more CPU time than what it does here. */
const crowd = process.env.ZEE_ROUNDS === undefined ? 20 : 50

function expectChain(file: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  let previous = ''
  for (const line of lines) {
    expect((JSON.parse(line) as Json).chain).toBe(sha256(previous))
    previous = line
  }
}

test('concurrent zcl run commands in one attempt write one valid line each in one chain', async () => {
  const attempt = await project.start()
  const runs = await Promise.all(
    Array.from({ length: crowd }, (_, index) =>
      project.run(attempt, ['sh', '-c', `echo ${index}; yes ${index} | head -c 5000`]),
    ),
  )
  expect(runs.map(({ code }) => code)).toEqual(Array(crowd).fill(0))
  const numbers = attempt.trace().map((event) => {
    const { outPreview } = event.io as { outPreview: string }
    return Number(outPreview.split('\n')[0])
  })
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: crowd }, (_, at) => at))
  expectChain(attempt.file('tool.calls.jsonl'))
  const { json } = await project.json(['validate', attempt.folder])
  expect(json).toMatchObject({ ok: true })
}, 180_000)

test('concurrent attempt starts allocate every index once, without a gap', async () => {
  const first = await project.start()
  const starts = await Promise.all(
    Array.from({ length: crowd }, (_, index) => {
      const mission = ['odd', 'even', 'third'][index % 3] ?? ''
      const args = ['attempt', 'start', '--suite', 'smoke', '--mission', mission]
      return project.json([...args, '--run-id', first.runId], { env: asProcess })
    }),
  )
  const indices = starts.map(({ json }) => Number((json.attemptId as string).split('-')[0]))
  expect(indices.sort((a, b) => a - b)).toEqual(Array.from({ length: crowd }, (_, at) => at + 2))
  const names = readdirSync(path.join(first.runFolder, 'attempts'))
  expect(names).toHaveLength(crowd + 1)
  expect((await project.json(['validate', first.runFolder])).json).toMatchObject({ ok: true })
}, 180_000)

/** Starts zcl and kills it after `ms`; returns whether it had finished. */
function killedAfter(args: readonly string[], env: Json, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(builtProgram('zcl'), args, {
      cwd: project.folder,
      env: { ...cleanEnvironment(), HOME: project.home, ...(env as Record<string, string>) },
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

async function usualMs(args: readonly string[], env: Json): Promise<number> {
  const started = performance.now()
  await killedAfter(args, env, 60_000)
  return performance.now() - started
}

test('zcl run killed at any instant leaves no torn line and loses no acknowledged event', async () => {
  const attempt = await project.start()
  const args = (mark: string) => ['run', '--', 'echo', mark]
  const span = (await usualMs(args('warm'), attempt.env)) * 1.2
  const acknowledged = ['warm']
  for (let round = 0; round < rounds; round++) {
    const mark = `round-${round}`
    if (await killedAfter(args(mark), attempt.env, Math.random() * span)) acknowledged.push(mark)
  }
  expect(await killedAfter(args('after'), attempt.env, 60_000)).toBe(true)
  const marks = attempt.trace().map((event) => (event.input as { argv: string[] }).argv[1])
  expect(marks).toEqual(expect.arrayContaining([...acknowledged, 'after']))
  expect(new Set(marks).size).toBe(marks.length)
  expectChain(attempt.file('tool.calls.jsonl'))
  const { json } = await project.json(['validate', attempt.folder])
  expect(json.errors).toEqual([])
}, 3_600_000)

test('other commands killed at any instant leave complete files or none', async () => {
  const attempt = await project.start()
  await project.run(attempt, ['true'])
  const start = [
    'attempt',
    'start',
    '--suite',
    'smoke',
    '--mission',
    'x',
    '--run-id',
    attempt.runId,
  ]
  const commands = [
    ['feedback', '--ok', '--result', 'x'.repeat(60_000)],
    ['note', '--message', 'y'.repeat(10_000)],
    ['report', attempt.folder],
    start,
  ]
  const span = (await usualMs(commands[0] ?? [], attempt.env)) * 1.2
  for (let round = 0; round < rounds; round++) {
    const command = commands[round % commands.length] ?? []
    await killedAfter(command, attempt.env, Math.random() * span)
  }
  for (const command of commands) expect(await killedAfter(command, attempt.env, 60_000)).toBe(true)
  linesOf(attempt.file('notes.jsonl'))
  const { json } = await project.json(['validate', attempt.runFolder])
  expect(json.errors).toEqual([])
  const left = readdirSync(attempt.runFolder).filter((name) => name.startsWith('.starting-'))
  expect(left).toEqual([])
}, 3_600_000)
