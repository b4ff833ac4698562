// The corpus of secrets through a session and an attempt: no value is in clear in what
// zee finds, sums up and shows, in the dashboard, in the checks of `doctor` and in the
// arguments of the processes that zdx starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZeeSandbox } from '../contract/zee/sandbox.ts'
import { builtProgram } from '../support/paths.ts'
import { corpusSeed, secretSamples, seededRandom, variableValue } from '../support/secret-corpus.ts'

const random = seededRandom(corpusSeed(71))
const samples = secretSamples(random)
const words = samples.map(({ text }) => text).join('\n\n')
const key = `sk-ant-${variableValue(random)}${variableValue(random)}`
const box = new ZeeSandbox()

function inClear(text: string): string[] {
  return samples
    .filter(({ value }) => value.split(/\n|\\n/).some((line) => text.includes(line)))
    .map(({ format }) => format)
}

beforeAll(async () => {
  writeFileSync(path.join(box.project, 'samples.txt'), words)
  const steps = [
    { tool: 'bash', input: { command: 'cat samples.txt' } },
    { text: `needle ${words}` },
  ]
  const play = path.join(box.base, 'secrets.jsonl')
  writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  const args = ['--provider', 'script', '--model', play, 'exec', '-p', `needle ${words}`]
  const ran = await box.run('zdx', args)
  expect(ran.code, ran.stderr).toBe(0)
  await box.attempt(['cat', 'samples.txt'])
}, 120_000)
afterAll(() => box.remove())

test.for([
  ['search', 'needle'],
  ['search', samples[0]?.text ?? ''],
  ['usage'],
  [],
  ['doctor'],
  ['zdx', 'sessions', 'list'],
  ['zdx', 'sessions', 'search', 'needle'],
  ['zcl', 'doctor'],
  ['zino', 'doctor'],
])('`zee %j` prints no secret', { timeout: 60_000 }, async (args) => {
  const { stdout, stderr } = await box.zee(args, { ANTHROPIC_API_KEY: key })
  // The words of the question may be repeated.
  const asked = new Set(inClear(args.join(' ')))
  expect(inClear(stdout + stderr).filter((format) => !asked.has(format))).toEqual([])
  expect(stdout + stderr).not.toContain(key)
})

test('the pages of zee and its dashboard hold no secret', { timeout: 60_000 }, async () => {
  const { stdout } = await box.zee(['open', '--print', 'latest'])
  expect(inClear(readFileSync(stdout.trim(), 'utf8'))).toEqual([])
  const child = spawn(builtProgram('zee'), ['ui', '--no-open'], {
    cwd: box.project,
    env: { ...process.env, ...box.env },
  })
  try {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(String(chunk))?.[0] ?? ''
    for (const place of ['', 'api/rows', 'api/now', 'api/memory', 'api/usage']) {
      const answer = await fetch(new URL(place, url))
      expect(answer.status, place).toBe(200)
      expect(inClear(await answer.text()), place).toEqual([])
    }
  } finally {
    child.kill('SIGINT')
    await once(child, 'close')
  }
})

test('the key of the provider is in no argument and no environment of a child', async () => {
  const play = path.join(box.base, 'children.jsonl')
  const seen = path.join(box.base, 'seen')
  const command = `cat /proc/*/cmdline /proc/self/environ /proc/$PPID/environ > ${seen} 2>/dev/null; true`
  writeFileSync(play, `${JSON.stringify({ tool: 'bash', input: { command } })}\n{"text":"ok"}\n`)
  const args = ['--provider', 'script', '--model', play, 'exec', '-p', 'x']
  const child = spawn(builtProgram('zdx'), args, {
    cwd: box.project,
    env: { ...process.env, ...box.env, ANTHROPIC_API_KEY: key },
  })
  child.stdout.resume()
  child.stderr.resume()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(readdirSync(box.base)).toContain('seen')
  expect(readFileSync(seen, 'latin1')).not.toContain(key)
})
