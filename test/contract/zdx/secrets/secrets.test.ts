// Secrets in tool results reach neither the model nor a stored or printed byte; tools get them back.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { FakeAnthropic } from '../../../support/fake-anthropic.ts'
import { answer, fakeAnthropic, say } from '../../../support/fake-anthropic.ts'
import { seededRandom } from '@zee/core/random'
import { corpusSeed, secretSample } from '../../../support/secret-corpus.ts'
import type { Sandbox } from '../sandbox.ts'
import { createSandbox } from '../sandbox.ts'
import { asProcess } from '../../run-here.ts'

const random = seededRandom(corpusSeed(7))
const token = secretSample('github classic', random).value
const password = secretSample('mongodb', random).value

let box: Sandbox | undefined
let model: FakeAnthropic | undefined
afterEach(async () => {
  box?.remove()
  await model?.close()
})

async function withModel(...answers: Parameters<typeof fakeAnthropic>[0][]): Promise<Sandbox> {
  model = await fakeAnthropic(answers.flat() as Parameters<typeof fakeAnthropic>[0])
  box = createSandbox(model)
  return box
}

const read = (file: string) => answer({ tool: 'read', input: { path: file } })
const bash = (command: string) => answer({ tool: 'bash', input: { command } })
const requests = () => JSON.stringify(model?.requests.map(({ body }) => body))

describe('a secret in a tool result', () => {
  it('becomes a numbered placeholder for the model, the session and the events', async () => {
    const sandbox = await withModel([read('.env'), read('.env'), say('ok')])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\nURL=mongodb://alice:${password}@db/x\n`)
    const ran = await sandbox.zdx(['--format', 'json', 'exec', '-p', 'look', '--session', 's'])
    expect(ran.code, ran.stderr).toBe(0)
    const session = readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8')
    for (const text of [requests(), session, ran.stdout, ran.stderr]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(password)
    }
    expect(requests()).toContain('GITHUB_TOKEN=⟦secret:github-token:1⟧')
    expect(session).toContain('⟦secret:github-token:1⟧')
    expect(ran.stdout).toContain('⟦secret:github-token:1⟧')
    expect(requests()).not.toContain('⟦secret:github-token:3⟧')
  })

  it('comes back for the call that uses the placeholder, and is hidden again in its result', async () => {
    const sandbox = await withModel([
      read('.env'),
      bash(
        'printf %s ⟦secret:github-token:1⟧ > out; echo ⟦secret:github-token:1⟧ | wc -c; cat out',
      ),
      answer({
        tool: 'edit',
        input: {
          path: '.env',
          old: 'GITHUB_TOKEN=⟦secret:github-token:1⟧',
          new: 'GH_TOKEN=⟦secret:github-token:1⟧',
        },
      }),
      say('ok'),
    ])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    const ran = await sandbox.exec('go', '--session', 's')
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(path.join(sandbox.root, 'out'), 'utf8')).toBe(token)
    expect(readFileSync(path.join(sandbox.root, '.env'), 'utf8')).toBe(`GH_TOKEN=${token}\n`)
    expect(requests()).toContain(String(token.length + 1))
    const outputs = [
      requests(),
      ran.stdout + ran.stderr,
      readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8'),
      (await sandbox.zdx(['sessions', 'diff', 's'])).stdout,
      ...(await Promise.all(
        ['md', 'json', 'html'].map(
          async (format) =>
            (await sandbox.zdx(['sessions', 'export', 's', '--format', format])).stdout,
        ),
      )),
    ]
    for (const text of outputs) {
      expect(text).not.toBe('')
      expect(text).not.toContain(token)
    }
  })

  it('is hidden in a file name that undo and redo show and record', async () => {
    const sandbox = await withModel([
      read('.env'),
      bash('echo a > f-⟦secret:github-token:1⟧; rm -f gone'),
      say('ok'),
    ])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    sandbox.put('gone', 'gone\n')
    await sandbox.zdx(['exec', '-p', 'go', '--session', 's'])
    expect(readdirSync(sandbox.root)).toContain(`f-${token}`)
    for (const command of ['undo', 'redo', 'diff']) {
      const ran = await sandbox.zdx(['sessions', command, 's'])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain('f-[REDACTED:GITHUB_TOKEN]')
      expect(ran.stdout).not.toContain(token)
    }
    writeFileSync(path.join(sandbox.root, `f-${token}`), 'changed since')
    const refused = await sandbox.zdx(['sessions', 'undo', 's'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).not.toContain(token)
    const session = readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8')
    expect(session).not.toContain(token)
  })

  it('is unknown after a resume until it is read again', async () => {
    const sandbox = await withModel([
      read('.env'),
      say('ok'),
      bash('echo ⟦secret:github-token:1⟧ > out'),
      read('.env'),
      bash('echo ⟦secret:github-token:2⟧ > out'),
      say('ok'),
    ])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    await sandbox.exec('go', '--session', 's')
    const ran = await sandbox.exec('go on', '--session', 's')
    expect(ran.code, ran.stderr).toBe(0)
    expect(requests()).toContain('secret_unknown')
    expect(requests()).toContain('read the file again')
    expect(readFileSync(path.join(sandbox.root, 'out'), 'utf8')).toBe(`${token}\n`)
  })

  it('is hidden in a prompt, an attached file and the context of a hook', async () => {
    const sandbox = await withModel([bash('true'), say('ok')])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    sandbox.put(
      'context.json',
      JSON.stringify({ context: `the password is in postgres://a:${password}@h` }),
    )
    sandbox.config(
      '[[hooks]]\nevent = "after_tool"\nmatch = "bash:*"\ncommand = "cat context.json"\n',
    )
    const ran = await sandbox.exec(`use ${token} of @.env`, '--session', 's')
    expect(ran.code, ran.stderr).toBe(0)
    const session = readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8')
    for (const text of [requests(), session]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(password)
      expect(text).toContain('⟦secret:')
    }
  })

  it('is hidden in the output of !!command', async () => {
    const sandbox = await withModel([say('ok')])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    const input = '!!cat .env\nwhat is it?\n:q\n'
    const ran = await sandbox.zdx(['--session', 's'], { input })
    expect(ran.code, ran.stderr).toBe(0)
    const session = readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8')
    for (const text of [requests(), session]) {
      expect(text).not.toContain(token)
      expect(text).toContain('⟦secret:')
    }
  })

  it('is hidden in every part of a PEM block that is read in pieces', async () => {
    const body = Array.from({ length: 24 }, () => randomBytes(48).toString('base64'))
    const readLines = (offset: number, limit: number) =>
      answer({ tool: 'read', input: { path: 'key.pem', offset, limit } })
    const sandbox = await withModel([
      readLines(1, 8),
      readLines(9, 8),
      readLines(17, 20),
      bash('sed -n 5,12p key.pem'),
      bash('tail -n 4 key.pem'),
      say('ok'),
    ])
    sandbox.put(
      'key.pem',
      ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----', ''].join('\n'),
    )
    expect((await sandbox.exec('look', '--session', 's')).code).toBe(0)
    const session = readFileSync(path.join(sandbox.zdxHome, 'sessions/s.jsonl'), 'utf8')
    const shown = body.filter((line) => requests().includes(line) || session.includes(line))
    expect(shown).toEqual([])
  })

  it('reaches the model if the configuration says secrets = "keep"', async () => {
    const sandbox = await withModel([read('.env'), say('ok')])
    sandbox.put('.env', `GITHUB_TOKEN=${token}\n`)
    sandbox.config('secrets = "keep"\n')
    expect((await sandbox.exec('look', '--session', 's')).code).toBe(0)
    expect(requests()).toContain(token)
  })
})

it('a command finds the key of zdx neither in /proc nor by a placeholder', async () => {
  const key = secretSample('anthropic', random).value
  const sandbox = await withModel([
    bash('cat /proc/$PPID/environ | tr "\\0" "\\n" | tee environ | grep -c ANTHROPIC_API_KEY'),
    read('/proc/self/environ'),
    say('ok'),
  ])
  sandbox.config('model = "m"\n')
  writeFileSync(path.join(sandbox.root, 'x'), '')
  const ran = await sandbox.zdx(['exec', '-p', 'look', '--session', 's'], {
    env: { ...asProcess, ANTHROPIC_API_KEY: key },
  })
  expect(ran.code, ran.stderr).toBe(0)
  expect(model?.requests.at(-1)?.headers['x-api-key']).toBe(key)
  expect(readFileSync(path.join(sandbox.root, 'environ'), 'utf8')).toMatch(
    /^ANTHROPIC_API_KEY=x+$/m,
  )
  expect(requests()).not.toContain(key)
})
