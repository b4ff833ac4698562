// One session that reads a sample of every secret format, by `read` and by a command that uses the
// placeholders. Searches every byte that zdx sent, stored or printed for the values.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { Answer, SeenRequest } from '../../../support/fake-anthropic.ts'
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
    (request, response) => usePlaceholders(request)(request, response),
    say('done'),
  ])
  const box = createSandbox(server)
  try {
    mkdirSync(path.join(box.root, 'files'))
    samples.forEach(({ text }, index) => box.put(`files/${index}`, `${text}\n`))
    const run = ['--format', 'json', '--verbose', 'exec', '-p', 'look', '--session', 's']
    const ran = await box.zdx(run)
    expect(ran.code, ran.stderr).toBe(0)
    const used = readFileSync(path.join(box.home, 'used'), 'utf8')
    expect(notUsed(samples, used), `seed ${seed}, command with placeholders`).toEqual([])
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
      ['view', 's', '--out', '-'],
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

/** A command that writes every placeholder of the request into a file, outside the project: a diff knows no values. */
function usePlaceholders({ raw }: SeenRequest): Answer {
  const placeholders = new Set(raw.match(/⟦secret:[^⟧]*⟧/g))
  const command = `cat > ~/used <<'END'\n${[...placeholders].join('\n')}\nEND`
  return answer({ tool: 'bash', input: { command } })
}

/** Formats of which the command did not get the value. A prefix in a word of its own is not secret. */
function notUsed(samples: readonly SecretSample[], used: string): string[] {
  const isUsed = ({ value }: SecretSample) =>
    value
      .split(/\s|\\n/)
      .filter((word) => word.length > 8)
      .every((word) => used.includes(word))
  return samples.filter((sample) => !isUsed(sample)).map(({ format }) => format)
}

/** Formats whose value is in the text, as it is or escaped for JSON or HTML. */
function inClear(samples: readonly SecretSample[], text: string): string[] {
  return samples
    .filter(({ value }) => value.split(/\n|\\n/).some((line) => text.includes(line)))
    .map(({ format }) => format)
}
