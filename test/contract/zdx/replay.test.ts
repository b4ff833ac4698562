// `zdx sessions replay`: repeats the calls of a session in a copy of its project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProgram } from '../../support/run-program.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const end = { end: true }
const call = (tool: string, input: object) => ({ tool, input })

/** Plays the steps in the session `s`, one exec per list. */
async function record(...turns: object[][]): Promise<void> {
  const steps = turns.flatMap((turn) => [...turn, { text: 'done' }, end])
  box.put('play.jsonl', steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  for (const [index] of turns.entries()) {
    const model = ['--provider', 'script', '--model', 'play.jsonl', '--session', 's']
    expect((await box.zdx(['exec', '-p', `turn ${index}`, ...model])).code).toBe(0)
  }
}
const replay = (...args: string[]) => box.zdx(['sessions', 'replay', 's', ...args])
const leftovers = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith('zdx-replay-'))

const session = () => [
  [
    call('read', { path: 'a.txt' }),
    end,
    call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
    end,
    call('bash', { command: 'cat a.txt; echo made > made.txt; rm gone.txt' }),
    end,
    call('write', { path: 'deep/new.txt', content: 'x' }),
    end,
  ],
  [call('bash', { command: 'cat made.txt deep/new.txt' }), end],
]

describe('zdx sessions replay', () => {
  beforeEach(() => {
    box.put('a.txt', 'one\n')
    box.put('gone.txt', 'gone\n')
  })

  it('finds no difference in an unchanged session, and leaves the project alone', async () => {
    await record(...session())
    const before = leftovers()
    const ran = await replay()
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'session s: 2 turns, 5 calls replayed\nno difference\n',
    })
    expect(readFileSync(path.join(box.root, 'a.txt'), 'utf8')).toBe('two\n')
    expect(existsSync(path.join(box.root, 'gone.txt'))).toBe(false)
    expect(leftovers()).toEqual(before)
    expect(JSON.parse((await replay('--format', 'json')).stdout)).toEqual({
      id: 's',
      turns: 2,
      calls: 5,
      skipped: 0,
      difference: null,
    })
  })

  it('works in a git repository, from a folder below its top', async () => {
    execFileSync('git', ['init', '-q'], { cwd: box.root })
    mkdirSync(path.join(box.root, 'sub'))
    writeFileSync(path.join(box.root, 'sub/a.txt'), 'one\n')
    const steps = [
      call('bash', { command: 'cat a.txt; echo x > b.txt' }),
      end,
      { text: 'done' },
      end,
    ]
    const play = box.put('play.jsonl', steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
    const model = ['--provider', 'script', '--model', play, '--session', 's', '--root', 'sub']
    await box.zdx(['exec', '-p', 'go', ...model])
    expect(box.session('s')[0]).toMatchObject({ root: box.root, cwd: path.join(box.root, 'sub') })
    expect((await replay()).stdout).toContain('no difference')
  })

  it('names the first tool result that differs', async () => {
    await record([
      call('bash', { command: 'echo stable' }),
      end,
      call('bash', { command: 'cat a.txt' }),
      end,
    ])
    box.put('a.txt', 'changed later\n')
    const ran = await replay()
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain('first difference at event 6 (tool result): bash cat a.txt\n')
    expect(ran.stdout).toContain('recorded: {"ok":true,"data":{"stdout":"one\\n"')
    expect(ran.stdout).toContain('replayed: {"ok":true,"data":{"stdout":"changed later\\n"')
  })

  it('names a path that ends in another state', async () => {
    box.put('source.txt', 'first\n')
    await record([call('bash', { command: 'cp source.txt copy.txt' }), end])
    box.put('source.txt', 'second\n')
    const ran = await replay()
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain(`first difference (tree): ${path.join(box.root, 'copy.txt')}\n`)
  })

  it('takes an undo between two turns into account', async () => {
    await record([call('edit', { path: 'a.txt', old: 'one', new: 'two' }), end])
    expect((await box.zdx(['sessions', 'undo', 's'])).code).toBe(0)
    const edit = call('edit', { path: 'a.txt', old: 'one', new: 'two' })
    const done = [end, { text: 'done' }, end]
    const all = [edit, ...done, call('bash', { command: 'cat a.txt' }), ...done]
    box.put('play.jsonl', all.map((step) => `${JSON.stringify(step)}\n`).join(''))
    const model = ['--provider', 'script', '--model', 'play.jsonl', '--session', 's']
    await box.zdx(['exec', '-p', 'again', ...model])
    expect((await replay()).stdout).toContain('no difference')
  })

  it('uses the recorded result of calls that cannot be repeated', async () => {
    box.config('[permissions]\ndeny = ["bash:rm *"]\n')
    const outside = path.join(box.base, 'outside.txt')
    await record([
      call('bash', { command: 'rm a.txt' }),
      end,
      call('write', { path: outside, content: 'x' }),
      end,
    ])
    writeFileSync(outside, 'mine')
    const ran = await replay()
    expect(ran.stdout).toBe(
      'session s: 1 turn, 0 calls replayed, 2 calls not repeated\nno difference\n',
    )
    expect(readFileSync(outside, 'utf8')).toBe('mine')
  })

  it('compares results that contain secrets by their placeholders', async () => {
    box.put('.env', `TOKEN=ghp_${'a1B2'.repeat(9)}\n`)
    await record([
      call('read', { path: '.env' }),
      end,
      call('bash', { command: 'cat .env > copy.env; cat copy.env' }),
      end,
    ])
    expect(JSON.stringify(box.session('s'))).toContain('⟦secret:')
    expect((await replay()).stdout).toContain('2 calls replayed\nno difference')
  })

  it('fails for a session without a project', async () => {
    box.writeSession('old', [{ type: 'message', role: 'user', text: 'hi', ts: '' }])
    const ran = await box.zdx(['sessions', 'replay', 'old'])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('does not say in which project it ran')
  })
})

describe('zdx sessions replay --model', () => {
  it('asks the model in the rebuilt project and leaves two runs for zcl compare', async () => {
    box.put('a.txt', 'one\n')
    await record([call('edit', { path: 'a.txt', old: 'one', new: 'two' }), end])
    const other = [call('bash', { command: 'cat a.txt' }), end, { text: 'looked' }, end]
    const play = path.join(box.base, 'other.jsonl')
    writeFileSync(play, other.map((step) => `${JSON.stringify(step)}\n`).join(''))
    const ran = await replay('--model', `script:${play}`, '--format', 'json')
    expect(ran).toMatchObject({ code: 0 })
    const {
      recorded_run: recorded,
      model_run: asked,
      out_root: outRoot,
    } = JSON.parse(ran.stdout) as {
      recorded_run: string
      model_run: string
      out_root: string
    }
    expect(outRoot).toBe(path.join(box.root, '.zcl'))
    const zcl = (...args: string[]) =>
      runProgram('zcl', args, { cwd: box.root, env: { ...box.env, ZCL_OUT_ROOT: undefined } })
    const trace = (run: string) => {
      const attempts = path.join(outRoot, 'runs', run, 'attempts')
      const [attempt = ''] = readdirSync(attempts)
      return readFileSync(path.join(attempts, attempt, 'tool.calls.jsonl'), 'utf8')
    }
    expect(trace(recorded)).toContain('"op":"edit"')
    expect(trace(asked)).toContain('one\\\\n')
    expect(readFileSync(path.join(box.root, 'a.txt'), 'utf8')).toBe('two\n')
    const compared = await zcl('compare', recorded, asked)
    expect(compared.stderr).toBe('')
    expect(compared.code).toBe(0)
  })
})
