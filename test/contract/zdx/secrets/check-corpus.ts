// One session that reads a sample of every secret format, by `read` and by a command that uses the
// placeholders. Searches every byte that zdx sent, stored or printed for the values.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { answer, fakeAnthropic, say } from '../../../support/fake-anthropic.ts'
import type { SecretSample } from '../../../support/secret-corpus.ts'
import { seededRandom } from '@zee/core/random'
import { secretSamples } from '../../../support/secret-corpus.ts'
import { createSandbox } from '../sandbox.ts'

/** Returns the number of checked values. */
export async function checkCorpus(seed: number): Promise<number> {
  const samples = secretSamples(seededRandom(seed))
  const calls = samples.map((_, index) => ({ tool: 'read', input: { path: `files/${index}` } }))
  const server = await fakeAnthropic([
    answer(...calls.slice(0, 120)),
    answer(...calls.slice(120)),
    answer({ tool: 'bash', input: { command: 'cat files/*; cat files/0 >&2; echo x > made' } }),
    answer({ tool: 'bash', input: { command: 'printf %s "⟦secret:github-token:1⟧" > used' } }),
    say('done'),
  ])
  const box = createSandbox(server)
  try {
    mkdirSync(path.join(box.root, 'files'))
    samples.forEach(({ text }, index) => box.put(`files/${index}`, `${text}\n`))
    const ran = await box.zdx(['--format', 'json', 'exec', '-p', 'look', '--session', 's'])
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(path.join(box.root, 'used'), 'utf8')).toBe(samples[0]?.value)
    const sinks: Record<string, string> = {
      requests: JSON.stringify(server.requests.map(({ body }) => body)),
      events: ran.stdout,
      messages: ran.stderr,
      session: readFileSync(path.join(box.zdxHome, 'sessions/s.jsonl'), 'utf8'),
      listing: readdirSync(path.join(box.zdxHome, 'undo/s')).join('\n'),
    }
    const commands = [
      ['sessions', 'show', 's'],
      ['sessions', 'diff', 's'],
      ...['md', 'json', 'html'].map((format) => ['sessions', 'export', 's', '--format', format]),
    ]
    for (const command of commands) sinks[command.join(' ')] = (await box.zdx(command)).stdout
    for (const [sink, text] of Object.entries(sinks)) {
      expect(inClear(samples, text), `seed ${seed}, ${sink}`).toEqual([])
    }
    return samples.length * 2
  } finally {
    box.remove()
    await server.close()
  }
}

/** Formats whose value is in the text, as it is or escaped for JSON or HTML. */
function inClear(samples: readonly SecretSample[], text: string): string[] {
  return samples
    .filter(({ value }) => value.split(/\n|\\n/).some((line) => text.includes(line)))
    .map(({ format }) => format)
}
