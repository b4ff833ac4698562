// `zeno send`: one request, one answer and the exit code.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'

let box: Sandbox
beforeAll(() => {
  box = createSandbox({ 'a.txt': 'one\n' })
})
afterAll(() => box.remove())

const send = (...args: string[]) => box.zeno(['send', '--root', box.root, ...args])

describe('zeno send', () => {
  it('prints one answer on one line and exits 0', async () => {
    const ran = await send('--op', 'read_file', '--args', '{"path":"a.txt"}', '--id', 'x')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^\{"id":"x","ok":true,.*\}\n$/)
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: { text: 'one' } })
  })

  it('derives the default id from the time', async () => {
    const { stdout } = await send('--op', 'list_files')
    expect(stdout).toMatch(/^\{"id":"req-\d{10}",/)
  })

  it('accepts --request with its id, which --id overrides', async () => {
    const request = '{"id":"own","op":"stat","args":{"path":"."},"purpose":"x"}'
    expect((await send('--request', request)).stdout).toContain('{"id":"own"')
    expect((await send('--request', request, '--id', 'mine')).stdout).toContain('{"id":"mine"')
  })

  it('indents by two spaces with --pretty', async () => {
    const { stdout } = await send('--op', 'stat', '--args', '{"path":"."}', '--pretty')
    expect(stdout).toMatch(/^\{\n {2}"id": "req-/)
  })

  it('prints plain ASCII with --pretty', async () => {
    const { stdout } = await send('--op', 'é\u2028😀', '--id', 'ü', '--pretty')
    expect(stdout).toMatch(/^[\n -~]*$/)
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'ü',
      error: { message: 'unknown op: é\u2028😀' },
    })
  })

  it('prints an error answer and exits 1', async () => {
    const ran = await send('--op', 'read_file', '--args', '{"path":"nowhere"}')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false })
    expect(await send('--op', 'nope')).toMatchObject({ code: 1 })
  })

  it('writes a trace with --log', async () => {
    const log = path.join(box.base, 'send.jsonl')
    await send('--op', 'stat', '--args', '{"path":"."}', '--log', log)
    await send('--op', 'nope', '--log', log)
    expect(readEvents(log).map(({ event }) => event)).toEqual([
      'request',
      'response',
      'request',
      'error',
    ])
  })

  it.each([
    [[]],
    [['--op', 'stat', '--args', '{bad']],
    [['--op', 'stat', '--args', '[1]']],
    [['--request', '{bad']],
    [['--request', '[1]']],
    [['--request', '{"op":"stat"}', '--op', 'stat']],
  ])('exits 2 for %j', async (args) => {
    const ran = await send(...args)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^zeno: [^\n]+\n$/)
  })
})
