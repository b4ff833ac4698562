// What `zdx exec` sends and prints: the prompt from arguments and standard input, attachments, --quiet,
// --verbose, and the tool lines of a stderr that is not a terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { inTurn, withServer } from './with-server.ts'
import { asProcess } from '../run-here.ts'

const at = withServer()

const sent = () => at.server.requests.map(({ body }) => body.messages.at(-1)?.content)

describe('the prompt of zdx exec', () => {
  it('is an argument or -p, but not both', async () => {
    expect((await at.box.zdx(['exec', 'fix the test'])).stdout).toBe('ok\n')
    const both = await at.box.zdx(['exec', 'fix', '-p', 'it'])
    const none = await at.box.zdx(['exec'])
    const many = await at.box.zdx(['exec', 'fix', 'it'])
    for (const ran of [both, none, many]) expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(sent()).toEqual(['fix the test'])
    expect(many.stderr).toContain('too many arguments: quote the prompt')
  })

  it('is followed by standard input in a fenced block with --stdin or a lone -', async () => {
    const input = 'a\n```\nb\n'
    await at.box.zdx(['exec', '-p', 'see', '--stdin'], { input })
    await at.box.zdx(['exec', 'see', '-'], { input })
    await at.box.zdx(['exec', '-p', 'see', '--stdin'], { input: '' })
    const whole = 'see\n\n````\na\n```\nb\n````'
    expect(sent()).toEqual([whole, whole, 'see'])
  })

  it('fails if standard input for --stdin is longer than 1 MiB', async () => {
    const input = 'x'.repeat(1024 * 1024 + 1)
    const ran = await at.box.zdx(['exec', '-p', 'see', '--stdin'], { input })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('standard input is longer than 1 MiB')
    await at.box.zdx(['exec', '-p', 'see', '--stdin'], { input: input.slice(1) })
    expect(at.server.requests).toHaveLength(1)
  })

  it('causes one warning if a pipe holds data that is not read', async () => {
    const ran = await at.box.zdx(['exec', '-p', 'go'], {
      input: 'unread',
      env: asProcess,
    })
    expect(ran.stdout).toBe('ok\n')
    expect(ran.stderr.split('Warning: stdin was not read; add --stdin\n')).toHaveLength(2)
    const empty = await at.box.zdx(['exec', '-p', 'go'], { input: '', env: asProcess })
    expect(empty.stderr).not.toContain('stdin')
  })

  it('leaves the data of a pipe for the next program', async () => {
    const line = `{ ${builtProgram('zdx')} exec -p go 2>&1; cat; }`
    const child = spawn('sh', ['-c', `echo rest | ${line}`], {
      cwd: at.box.root,
      env: { ...process.env, ...at.box.env },
    })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    await once(child, 'close')
    expect(out).toMatch(/ok[\s\S]*stdin was not read; add --stdin[\s\S]*\nrest\n$/)
  })

  it('attaches files and folders that @path names; other words with @ stay text', async () => {
    at.box.put('src/a.ts', 'let a\n')
    at.box.put('my notes.md', 'note')
    at.box.put('bin', 'a\u0000b')
    at.box.put('big.txt', 'é'.repeat(30_000))
    await at.box.exec('read @src/a.ts, (@src) and @"my notes.md"; mail me@src or @missing')
    await at.box.exec('just @missing')
    const [first = '', second] = sent() as string[]
    expect(first).toBe(
      'read @src/a.ts, (@src) and @"my notes.md"; mail me@src or @missing\n\n' +
        'src/a.ts:\n```ts\nlet a\n```\n\nsrc (folder):\n```\na.ts\n```\n\n' +
        'my notes.md:\n```md\nnote\n```',
    )
    expect(second).toBe('just @missing')
    const ran = await at.box.exec('@bin @big.txt @/dev/zero')
    expect(ran.stderr).toContain('Warning: @bin is not attached: it is not a text file\n')
    const [, , third = ''] = sent() as string[]
    expect(third).toContain('big.txt (the first 51200 of 60000 bytes):\n```txt\néé')
    expect(third).not.toMatch(/\ufffd|zero:/)
  })
})

describe('an image in a prompt', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('is sent as an image, stored with the session, and described to other models', async () => {
    at.box.put('shot.png', '')
    writeFileSync(path.join(at.box.root, 'shot.png'), png)
    const described = `what is @shot.png?\n\nshot.png: image/png, ${png.length} bytes`
    await at.box.exec('what is @shot.png?', '--session', 's')
    const source = { type: 'base64', media_type: 'image/png', data: png.toString('base64') }
    expect(sent()[0]).toEqual([
      { type: 'text', text: described },
      { type: 'image', source },
    ])
    await at.box.exec('and now?', '--session', 's')
    expect(JSON.stringify(at.server.requests[1]?.body)).toContain(source.data)
    await at.box.exec('what is @shot.png?', '--model', 'unknown-model')
    expect(JSON.stringify(sent()[2])).toContain(JSON.stringify(described))
    expect(at.server.requests[2]?.raw).not.toContain(source.data)
  })
})

describe('what zdx exec prints', () => {
  const calls = inTurn(
    answer(
      { tool: 'edit', input: { path: 'a.txt', old: 'two', new: 'x\ny\nz' } },
      { tool: 'read', input: { path: 'none.txt' } },
      { tool: 'bash', input: { command: 'printf "TOKEN=abc"\necho second' } },
    ),
    say('done'),
  )

  it('names what each tool acted on, and why a tool failed', async () => {
    at.box.put('a.txt', 'one\ntwo\n')
    at.respond = calls
    const { stderr } = await at.box.exec('go')
    expect(stderr).toMatch(/^⚙ Running edit\.\.\. Done\. \(\d\.\d\ds\) {2}a\.txt \+3 -1$/m)
    expect(stderr).toMatch(
      /^⚙ Running read\.\.\. Done\. \(\d\.\d\ds\) {2}none\.txt\n {2}✗ path_error: .*none\.txt.*$/m,
    )
    expect(stderr).toMatch(/^⚙ Running bash\.\.\. Done\. \(\d\.\d\ds\) {2}printf "TOKEN=abc" …$/m)
  })

  it('is only the answer with --quiet, and the error of a failed turn', async () => {
    at.box.put('a.txt', 'one\ntwo\n')
    at.respond = inTurn(
      answer({ tool: 'read', input: { path: 'a.txt' } }),
      say('done'),
      (_request, response) => {
        response.writeHead(400).end('{"error":{"message":"bad"}}')
      },
    )
    const fine = await at.box.exec('go', '--quiet')
    expect(fine).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' })
    const failed = await at.box.exec('go', '-q')
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/^Error \[http_status\]: HTTP 400: bad\n/)
  })

  it('includes inputs and results with --verbose, redacted and bounded', async () => {
    at.respond = inTurn(
      answer({
        tool: 'bash',
        input: { command: 'echo ghp_0123456789abcdefghijklmnopqrstuvwxyzAB; seq 9000' },
      }),
      say('done'),
    )
    const { stderr } = await at.box.exec('go', '--verbose')
    expect(stderr).toMatch(/^ {2}bash input: \{"command":"echo /m)
    expect(stderr).toMatch(/^ {2}result: \{"ok":true,"data":\{"stdout":".* … \(\d+ bytes\)$/m)
    const shown = stderr.split('\n').filter((line) => line.startsWith('  '))
    expect(shown.join('\n')).not.toContain('ghp_0123456789')
    expect(await at.box.exec('go', '-q', '--verbose')).toMatchObject({ code: 2 })
  })
})
