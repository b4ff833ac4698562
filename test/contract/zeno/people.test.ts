// `zeno grep`, `read`, `list` and `symbols`: text for people.
import { spawn } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { createSandbox } from './sandbox.ts'

const box = createSandbox({
  'a.ts': 'export function foo() {\n  return bar(1)\n}\nclass K {}\n',
  'b/c.txt': 'bar\nbar\nx\ny\nz\nBar \u001b[2J\n',
})
afterAll(() => box.remove())

const zeno = (...args: string[]) => box.zeno(args, { cwd: box.root })

test('`zeno grep` prints path:line:text, and exits with 1 if nothing matches', async () => {
  expect(await zeno('grep', 'bar')).toMatchObject({
    code: 0,
    stdout: 'a.ts:2:  return bar(1)\nb/c.txt:1:bar\nb/c.txt:2:bar\n',
    stderr: '',
  })
  expect(await zeno('grep', 'nope')).toMatchObject({ code: 1, stdout: '' })
  expect((await zeno('grep', '-i', '-l', 'BAR')).stdout).toBe('a.ts\nb/c.txt\n')
})

test('`zeno grep -C` prints each line of overlapping context once', async () => {
  const { stdout } = await zeno('grep', '-e', 'b.r', '-C', '1')
  expect(stdout).toBe(
    'a.ts-1-export function foo() {\na.ts:2:  return bar(1)\na.ts-3-}\n--\n' +
      'b/c.txt:1:bar\nb/c.txt:2:bar\nb/c.txt-3-x\n',
  )
})

test('`zeno read` prints lines of a file and reports a missing one', async () => {
  expect((await zeno('read', 'a.ts:1-2')).stdout).toBe('export function foo() {\n  return bar(1)\n')
  expect((await zeno('read', 'a.ts:3-', '--number')).stdout).toBe('3  }\n4  class K {}\n')
  const short = await zeno('read', 'a.ts:900')
  expect(short).toMatchObject({ code: 0, stdout: '' })
  expect(short.stderr).toBe('zeno: a.ts has fewer than 900 lines\n')
  const missing = await zeno('read', 'none.ts')
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/^zeno: .*none\.ts/)
})

test('`zeno list` and `zeno symbols` print one item per line and say when there is none', async () => {
  expect((await zeno('list', '*.txt')).stdout).toBe('b/c.txt\n')
  expect(await zeno('list', '*.go')).toMatchObject({ code: 0, stderr: 'zeno: no file matches\n' })
  expect((await zeno('symbols', 'a.ts')).stdout).toBe('a.ts:1: function foo\na.ts:4: class K\n')
  expect((await zeno('symbols', 'foo', '--json')).stdout).toContain('"line":1')
})

test('colours and the removal of control characters apply on a terminal only', async () => {
  const line = `${builtProgram('zeno')} grep -i bar; ${builtProgram('zeno')} read b/c.txt:6`
  const env = { ...process.env, TERM: 'xterm', NO_COLOR: undefined, FORCE_COLOR: undefined }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: box.root, env })
  let screen = ''
  child.stdout.on('data', (chunk) => (screen += String(chunk)))
  await new Promise((resolve) => child.on('close', resolve))
  expect(screen).toContain('\u001b[31mbar\u001b[39m')
  expect(screen).not.toContain('\u001b[2J')
  expect((await zeno('read', 'b/c.txt:6')).stdout).toBe('Bar \u001b[2J\n')
})
