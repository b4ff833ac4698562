// Every sink of the funnels, with every secret format of the corpus: trace of HTTP and MCP, outcome, notes,
// report, exports and page store none in clear.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpusSeed, secretSamples, seededRandom } from '../../support/secret-corpus.ts'
import { createLab, listen, rawServer, request, startProxy, type Lab } from './lab.ts'

const samples = secretSamples(seededRandom(corpusSeed(20)))

let lab: Lab
beforeAll(async () => {
  lab = await createLab()
  await sendOverHttp()
  await sendOverMcp()
  const texts = samples.map(({ text }) => text)
  await lab.zcl(['note', '--data-json', JSON.stringify({ texts })])
  await lab.zcl(['feedback', '--ok', '--result-json', JSON.stringify({ texts })])
  await lab.zcl(['report', lab.runFolder])
  for (const format of ['otlp-json', 'atif', 'junit', 'csv', 'jsonl', 'inspect']) {
    await lab.zcl(['export', '--format', format, '--out', `${lab.attempt}/${format}`, lab.attempt])
  }
  await lab.zcl(['view', '--out', `${lab.attempt}/page.html`, lab.attempt])
}, 120_000)
afterAll(() => lab.remove())

/** The service repeats what it gets, so that requests and answers hold each secret. */
async function sendOverHttp(): Promise<void> {
  const server = createServer((incoming, response) => void incoming.pipe(response))
  const upstream = `http://${await listen(lab, server)}`
  const proxy = await startProxy(lab, 'http', upstream, ['--max-requests', `${samples.length}`])
  for (const { text } of samples) {
    const answer = await fetch(proxy.url, { method: 'POST', body: text })
    expect(await answer.text()).toBe(text)
  }
  await proxy.ended
}

async function sendOverMcp(): Promise<void> {
  const calls = samples.map(({ text }, id) => {
    const result = { content: [{ type: 'text', text }] }
    return request(id, 'tools/call', { name: 'x', arguments: { text }, result })
  })
  const ran = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: calls.join('') })
  expect(ran.code).toBe(0)
}

test('every sink holds the calls, and no secret of any format in clear', () => {
  expect(lab.trace().filter(({ tool }) => tool === 'http')).toHaveLength(samples.length)
  expect(lab.trace().filter(({ op }) => op === 'tools/call')).toHaveLength(samples.length)
  const files = readdirSync(lab.attempt).filter((name) => statSync(lab.file(name)).isFile())
  const sinks = ['notes.jsonl', 'feedback.json', 'attempt.report.json', 'otlp-json', 'page.html']
  for (const name of sinks) expect(files).toContain(name)
  const clear = files.flatMap((name) => {
    const stored = readFileSync(path.join(lab.attempt, name), 'latin1')
    const found = samples.filter(({ value }) => holds(stored, value))
    return found.map(({ format }) => `${name}: ${format}`)
  })
  expect(clear).toEqual([])
})

/** A secret in several lines must not leave a single line. */
function holds(stored: string, value: string): boolean {
  return value.split(/\n|\\n/).some((line) => line.length > 5 && stored.includes(line))
}
