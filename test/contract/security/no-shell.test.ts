// No shell parses arguments, file names or patterns from outside. The only shell that zee starts by
// itself is the helper in core/process/pipes.ts, with a fixed script.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runProgram } from '../../support/run-program.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-shell-'))
const work = path.join(folder, 'work')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work)
})

const evil = '$(touch owned)`touch owned`;touch owned|touch owned&touch owned\n#'
const options = { cwd: work, env: { HOME: folder, ZDX_HOME: path.join(folder, 'zdx') } }

function expectNotOwned(): void {
  expect(readdirSync(work)).not.toContain('owned')
}

it('zcl run passes every argument on unchanged', async () => {
  await runProgram('zcl', ['init'], options)
  const started = await runProgram(
    'zcl',
    ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json'],
    options,
  )
  const { env } = JSON.parse(started.stdout) as { env: Record<string, string> }
  const print = ['-e', 'process.stdout.write(process.argv[1])', '--', evil]
  const ran = await runProgram('zcl', ['run', '--', process.execPath, ...print], {
    ...options,
    env: { ...options.env, ...env },
  })
  expect(ran.stdout).toBe(evil)
  expectNotOwned()
})

it('zdx passes no name, text or pattern of its file tools to a shell', async () => {
  const steps = [
    { tool: 'write', input: { path: evil, content: evil } },
    { tool: 'search', input: { op: 'grep', pattern: evil, glob: evil } },
    { tool: 'read', input: { path: evil } },
    { end: true },
    { text: 'done' },
  ]
  const play = path.join(folder, 'play.jsonl')
  writeFileSync(play, steps.map((step) => JSON.stringify(step)).join('\n'))
  const args = ['--provider', 'script', '--model', play, '--tools', 'write,search,read']
  const ran = await runProgram('zdx', [...args, 'exec', '-p', evil], options)
  expect(ran.code, ran.stderr).toBe(0)
  expectNotOwned()
})

it('zeno passes neither requests nor the revisions of a plan to a shell', async () => {
  const search = ['send', '--root', '.', '--op', 'grep', '--args']
  const sent = await runProgram('zeno', [...search, JSON.stringify({ pattern: evil })], options)
  expect(sent.code, sent.stderr).toBe(0)
  // Git refuses the unknown revision.
  const plan = ['plan', '--mode', 'pr-review', '--git', '--base', evil, '--head', evil]
  const planned = await runProgram('zeno', plan, options)
  expect(planned).toMatchObject({ code: 1, stdout: '' })
  expect(planned.stderr).toContain('git')
  expectNotOwned()
})

it('zino passes no message and no memory to a shell', async () => {
  const play = path.join(folder, 'zino.jsonl')
  writeFileSync(play, JSON.stringify({ text: evil }))
  const config = ['--config', path.join(folder, 'z/ZINO.toml')]
  const zino = (...args: string[]) => runProgram('zino', [...args, ...config], options)
  const places = [path.join(folder, 'z'), '--script', play, '--sockets', path.join(folder, 'run')]
  await runProgram('zino', ['init', ...places], options)
  try {
    expect((await zino('up', '--detach')).code).toBe(0)
    expect((await zino('memory', 'add', evil, '--tag', evil)).code).toBe(0)
    expect((await zino('chat', '--channel', evil, evil)).stdout).toContain('touch owned')
  } finally {
    await zino('stop')
  }
  expectNotOwned()
})

it('zcl shim refuses a name that could break out of its wrapper script', async () => {
  const ran = await runProgram('zcl', ['shim', 'install', '--dir', 'shims', evil], options)
  expect(ran.code).not.toBe(0)
  expectNotOwned()
})

it('only core/process starts child processes, and never with the shell option', () => {
  const sources = sourceFiles(path.join(repository, 'packages'))
  const using = (pattern: RegExp): string[] =>
    sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map(relative)
  expect(using(/'(node:)?child_process'|'process_wrap'/)).toEqual([
    'packages/core/src/process/spawn/handled-child.ts',
    'packages/core/src/process/spawn/node-child.ts',
    // The text of a plugin, which OpenCode runs.
    'packages/zcl/src/hooks/agents.ts',
  ])
  expect(using(/\bshell: true/)).toEqual([])
  // No source builds a `sh -c` script from data. The helper's script in pipes.ts holds constants
  // only.
  expect(using(/'-c',\s*`[^`]*\$\{/)).toEqual([])
})

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sourceFiles(full)
      }
      return entry.name.endsWith('.ts') && !/\.(test|fixtures)\.ts$/.test(entry.name) ? [full] : []
    })
    .toSorted()
}

function relative(file: string): string {
  return path.relative(repository, file)
}
