// `zdx handoff`: a bundle built from a session, offline.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeAnthropic, say, status } from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox, until } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
  box.put('src/a.ts', 'old')
  box.put(
    'play.jsonl',
    [
      { tool: 'read', input: { path: 'README.md' } },
      { tool: 'edit', input: { path: 'src/a.ts', old: 'old', new: 'new' } },
      {
        tool: 'bash',
        input: { command: 'npm test -- --token=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' },
      },
      { tool: 'bash', input: { command: 'exit 3' } },
      { text: 'Plan:\n- [x] read\n- [ ] mend the lexer\n- [ ] add a test\n' },
      { end: true },
    ]
      .map((step) => JSON.stringify(step))
      .join('\n'),
  )
})
afterEach(() => box.remove())

const run = () =>
  box.zdx([
    'exec',
    '-p',
    'mend the parser',
    '--session',
    's',
    '--provider',
    'script',
    '--model',
    'play.jsonl',
  ])
const handoff = (...args: string[]) => box.zdx(['handoff', '--goal', 'Finish *it*', ...args])

function section(text: string, name: string): string {
  const body = text.split(/^#{1,2} /m).find((part) => part.startsWith(`${name}\n`))
  return (body ?? '').slice(name.length + 1).trim()
}

describe('zdx handoff', () => {
  it('starts with the goal verbatim and has every section', async () => {
    await run()
    const { stdout, code } = await handoff()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# Goal\n\nFinish \*it\*\n\n/)
    const headings = [...stdout.matchAll(/^#{1,2} (.+)$/gm)].map(([, name]) => name)
    expect(headings).toEqual([
      'Goal',
      'Starter prompt',
      'Relevant files',
      'Open tasks',
      'Repro commands',
    ])
    expect(section(stdout, 'Relevant files')).toBe('- src/a.ts\n- README.md')
    expect(section(stdout, 'Open tasks').split('\n')).toEqual([
      '- [ ] mend the lexer',
      '- [ ] add a test',
      expect.stringContaining('npm test'),
      '- [ ] Make this pass: `exit 3`',
      '- [ ] Finish *it*',
    ])
    expect(section(stdout, 'Repro commands')).toContain('exit 3')
    expect(section(stdout, 'Starter prompt')).toContain('mend the parser')
    expect(stdout).not.toContain('abcdefghijklmnopqrstuvwxyz')
  })

  it('writes the same text to --out and nothing to stdout', async () => {
    await run()
    const { stdout } = await handoff()
    expect(await handoff('--out', 'next.md')).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(path.join(box.root, 'next.md'), 'utf8')).toBe(stdout)
  })

  it('uses --from-session and prints paths relative to the root', async () => {
    await run()
    box.writeSession('other', [{ type: 'message', role: 'user', text: 'something else', ts: '' }])
    expect((await handoff()).stdout).toContain('something else')
    const named = await handoff('--from-session', 's', '--root', 'src')
    expect(section(named.stdout, 'Relevant files')).toBe('- a.ts\n- README.md')
  })

  it('fails without a session and without a goal', async () => {
    expect(await handoff()).toMatchObject({ code: 1, stdout: '' })
    expect(await handoff('--from-session', 'none')).toMatchObject({ code: 1, stdout: '' })
    expect(await box.zdx(['handoff'])).toMatchObject({ code: 2 })
    expect(await box.zdx(['handoff', '--goal', ' '])).toMatchObject({ code: 2 })
    expect(existsSync(path.join(box.zdxHome, 'sessions'))).toBe(false)
  })

  it('calls the model only with --with-model and falls back to the draft', async () => {
    await run()
    const server = await fakeAnthropic([say('Do this first.'), status(400, 'no')])
    const asked = await box.zdx(['handoff', '--goal', 'g', '--with-model'], { env: server.env })
    expect(section(asked.stdout, 'Starter prompt')).toContain('Do this first.')
    const failed = await box.zdx(['handoff', '--goal', 'g', '--with-model'], { env: server.env })
    await server.close()
    expect(failed.code).toBe(0)
    expect(failed.stderr).toContain('Warning: the model did not write the starter prompt: HTTP 400')
    expect(section(failed.stdout, 'Starter prompt')).toContain('mend the parser')
  })

  it('writes nothing when an interrupt aborts the request to the model', async () => {
    await run()
    const server = await fakeAnthropic(() => {})
    const child = box.start(['handoff', '--goal', 'g', '--with-model'], server.env)
    const [stdout, stderr] = [text(child.stdout as Readable), text(child.stderr as Readable)]
    await until(() => server.requests.length === 1)
    child.kill('SIGINT')
    const ended = await once(child, 'close')
    await server.close()
    expect(ended).toEqual([130, null])
    expect(await stdout).toBe('')
    expect(await stderr).toBe('\n^C Interrupted.\n')
  })
})
