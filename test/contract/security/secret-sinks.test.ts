// Every format of the corpus in every sink of zcl and zeno: no value is stored in clear. The sinks of zdx
// are in test/contract/zdx/secrets.
import { seededRandom } from '@zee/core/random'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runProgram } from '../../support/run-program.ts'
import type { SecretSample } from '../../support/secret-corpus.ts'
import {
  corpusSeed,
  secretSamples,
  secretVariables,
  variableValue,
} from '../../support/secret-corpus.ts'
import { filesBelow, Project } from '../zcl/project.ts'

const random = seededRandom(corpusSeed(99))
const samples = secretSamples(random)
const project = new Project()
const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-sinks-'))
afterAll(() => {
  project.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Formats with a line of their value in the text. */
function inClear(text: string, of: readonly SecretSample[] = samples): string[] {
  return of
    .filter(({ value }) => value.split(/\n|\\n/).some((line) => text.includes(line)))
    .map(({ format }) => format)
}

function storedText(root: string): string {
  return Object.keys(filesBelow(root))
    .map((file) => readFileSync(path.join(root, file), 'latin1'))
    .join('\n')
}

test('zcl stores no secret of arguments, stdout, stderr, captures, feedback and notes', async () => {
  const attempt = await project.start()
  const { env } = attempt
  const print = 'process.stdout.write(process.argv[1]); process.stderr.write(process.argv[1])'
  for (let from = 0; from < samples.length; from += 40) {
    const texts = samples.slice(from, from + 40).map(({ text }) => text)
    const lines = texts.join('\n\n')
    const run = ['run', '--capture', '--', process.execPath, '-e', print]
    await project.zcl([...run, lines], { env })
    await project.zcl(['run', '--', 'true', ...texts], { env })
    await project.zcl(['note', '--message', lines], { env })
    await project.zcl(['note', '--data-json', JSON.stringify(texts)], { env })
  }
  const last = samples.map(({ text }) => text)
  await project.zcl(['feedback', '--fail', '--result-json', JSON.stringify(last)], { env })
  await project.zcl(['report', attempt.folder])
  expect(inClear(storedText(attempt.runFolder))).toEqual([])
}, 120_000)

test('zcl stores no value of a variable with a secret name', async () => {
  const attempt = await project.start()
  const values = Object.fromEntries(secretVariables.map((name) => [name, variableValue(random)]))
  const env = { ...attempt.env, ...values }
  await project.zcl(['run', '--capture', '--', 'sh', '-c', 'env; env | cut -d= -f2- >&2'], { env })
  const stored = storedText(attempt.runFolder)
  expect(secretVariables.filter((name) => stored.includes(values[name] ?? ''))).toEqual([])
})

test('zeno stores no secret of requests and results in its trace and its page', async () => {
  const root = path.join(folder, 'root')
  const log = path.join(folder, 'trace.jsonl')
  mkdirSync(root)
  samples.forEach(({ text }, index) => writeFileSync(path.join(root, `f${index}.txt`), `${text}\n`))
  const requests = samples.flatMap(({ text }, index) => [
    { id: index * 2 + 1, op: 'read', args: { path: `f${index}.txt` } },
    { id: index * 2 + 2, op: 'grep', args: { pattern: text, literal: true } },
  ])
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  const served = await runProgram('zeno', ['serve', '--root', root, '--log', log], { input })
  expect(served.stdout.split('\n').length).toBeGreaterThan(samples.length)
  expect(inClear(readFileSync(log, 'utf8'))).toEqual([])
  const out = path.join(folder, 'page.html')
  const viewed = await runProgram('zeno', ['view', '--log', log, '--root', root, '--out', out])
  expect(viewed.code, viewed.stderr).toBe(0)
  expect(inClear(readFileSync(out, 'utf8'))).toEqual([])
}, 120_000)
