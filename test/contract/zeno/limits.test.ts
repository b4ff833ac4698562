// Limits and receipts: answer caps, exclusions, warnings, deny rules, certificates, shared traces.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  openSync,
  closeSync,
  ftruncateSync,
  existsSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram, repository } from '../../support/paths.ts'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const tree = {
  'src/a.js': 'needle src\n',
  'build/o.js': 'needle built\n',
  'build/node_modules/x.js': 'needle nested\n',
  '.github/ci.yml': 'needle ci\n',
  'README.md': 'needle readme\n',
}

async function pathsOf(client: Client, args: Json): Promise<unknown[]> {
  const { hits } = await client.ok('grep', { pattern: 'needle', ...args })
  return (hits as { path: string }[]).map((hit) => hit.path)
}

describe('default exclusions', () => {
  it('are counted, and lifted for paths that the request names', async () => {
    box.put(tree)
    const client = box.server()
    const all = await client.ok('grep', { pattern: 'needle' })
    expect(all.excluded).toEqual({ folders: 2, files: 0, by: ['build', 'hidden'] })
    expect(await pathsOf(client, { paths: ['build/**'] })).toEqual(['build/o.js'])
    expect(await pathsOf(client, { paths: ['{build,src}/*.js'] })).toEqual([
      'build/o.js',
      'src/a.js',
    ])
    expect(await pathsOf(client, { paths: ['.github'] })).toEqual(['.github/ci.yml'])
    expect(await pathsOf(client, { paths: ['b*/o.js'] })).toEqual([])
    expect(await pathsOf(client, { paths: ['build'], exclude_dirs: ['build'] })).toEqual([])
  })

  it('are the same from the disk and from the index, and follow changes', async () => {
    box.put(tree)
    const client = box.server()
    const first = await client.ok('grep', { pattern: 'needle' })
    await client.ok('index_stats')
    for (let round = 0; round < 4; round++) {
      expect((await client.ok('grep', { pattern: 'needle' })).excluded).toEqual(first.excluded)
    }
    box.put({ '.hidden': 'needle\n', 'src/dist/x.js': 'needle\n' })
    const later = await client.ok('grep', { pattern: 'needle' })
    expect(later.excluded).toEqual({ folders: 3, files: 1, by: ['build', 'dist', 'hidden'] })
  })
})

describe('the cap of an answer', () => {
  it('counts bytes as sent, also of characters that are escaped, and loses nothing', async () => {
    const text = `${'é😀"\\\t'.repeat(40)}\n`.repeat(400)
    box.put({ 'a.txt': text })
    const client = box.server(['--max-answer', '20000'])
    const args: Json = { path: 'a.txt', end_line: 400 }
    let joined = ''
    for (let cursor: unknown; ;) {
      const page = await client.ok('read_file', cursor === undefined ? args : { ...args, cursor })
      expect(client.lines.at(-1)?.length).toBeLessThanOrEqual(20_000)
      joined += String(page.text)
      cursor = page.next_cursor
      if (cursor === undefined) break
    }
    expect(joined).toBe(text.slice(0, -1))
  })

  it('applies to hits of an indexed search too', async () => {
    box.put({ 'h.txt': Array.from({ length: 3000 }, (_, n) => `needle ${n}\n`).join('') })
    const client = box.server(['--max-answer', '20000'])
    const args: Json = { pattern: 'needle', max_hits: 5000 }
    for (let round = 0; round < 5; round++) await client.ok('grep', args)
    const seen: unknown[] = []
    for (let cursor: unknown; ;) {
      const page = await client.ok('grep', cursor === undefined ? args : { ...args, cursor })
      expect(client.lines.at(-1)?.length).toBeLessThanOrEqual(20_000)
      seen.push(...(page.hits as { line: number }[]).map(({ line }) => line))
      cursor = page.next_cursor
      if (cursor === undefined) break
    }
    expect(seen).toEqual(Array.from({ length: 3000 }, (_, n) => n + 1))
  })

  it('of a character budget holds for hits as text too', async () => {
    box.put({ 'some/long/path.txt': 'needle\n'.repeat(200) })
    const client = box.server(['--budget', 'chars=500'])
    const { text, truncated } = await client.ok('grep', { pattern: 'needle', format: 'text' })
    expect(String(text).length).toBeLessThanOrEqual(500)
    expect(String(text).length).toBeGreaterThan(400)
    expect(truncated).toBe(true)
  })

  it('is recorded, so that a replay finds nothing different', async () => {
    box.put({ 'a.txt': 'x'.repeat(50_000) })
    const log = path.join(box.base, 't.jsonl')
    const client = box.server(['--max-answer', '5000', '--log', log])
    await client.ok('read_file', { path: 'a.txt' })
    await client.end()
    const ran = await box.zeno(['replay', '--root', box.root, '--log', log])
    expect(ran).toMatchObject({ code: 0, stdout: '1 replayed, 0 different\n' })
  })
})

it('reading a line of a huge sparse file times out while another client is answered', async () => {
  const file = openSync(path.join(box.root, 'huge.txt'), 'w')
  ftruncateSync(file, 2 ** 40)
  closeSync(file)
  box.put({ 'a.txt': 'one\n' })
  const socket = path.join(box.base, 's.sock')
  const server = box.server(['--socket', socket])
  while (!existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 10))
  const answers: string[] = []
  const [slow, quick] = [connect(socket), connect(socket)]
  for (const client of [slow, quick]) {
    client.on('data', (chunk) => answers.push(String(chunk)))
    await once(client, 'connect')
  }
  const read = (args: Json): string => `${JSON.stringify({ id: 1, op: 'read_file', args })}\n`
  slow.write(read({ path: 'huge.txt', deadline_ms: 2000 }))
  quick.write(read({ path: 'a.txt' }))
  while (answers.length < 2) await Promise.race([once(slow, 'data'), once(quick, 'data')])
  expect(answers[0]).toContain('"text":"one"')
  expect(answers[1]).toContain('reading the file timed out after 2000 ms')
  for (const client of [slow, quick]) client.destroy()
  await server.kill('SIGTERM')
}, 30_000)

describe('a certificate', () => {
  const checker = path.join(repository, 'examples/zeno/check-certificate.py')
  const hasPython = spawnSync('python3', ['--version']).status === 0

  async function certify(args: Json = {}): Promise<{ file: string; answer: Json }> {
    const request = JSON.stringify({ pattern: 'needle', certify: true, ...args })
    const send = ['send', '--root', box.root, '--private', '--op', 'grep', '--args', request]
    const { stdout } = await box.zeno(send)
    const file = path.join(box.base, 'answer.json')
    writeFileSync(file, stdout)
    return { file, answer: JSON.parse(stdout) as Json }
  }

  const verify = (file: string) =>
    box.zeno(['verify', '--root', box.root, '--certificate', file, '--json'])

  it('is the RFC 6962 root over the searched files, and the same from the index', async () => {
    box.put({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c/d.txt': '' })
    const { answer } = await certify()
    const { certificate } = answer.result as { certificate: Json }
    // Computed with sha256sum for these three files.
    expect(certificate).toMatchObject({
      files: 3,
      bytes: 8,
      root: expectedRoot(),
      excluded: { files: 0 },
    })
    const client = box.server()
    for (let round = 0; round < 4; round++) {
      const again = await client.ok('grep', { pattern: 'needle', certify: true })
      expect(again.certificate).toEqual(certificate)
    }
    box.put({ 'b.txt': 'three\n' })
    const later = await client.ok('grep', { pattern: 'needle', certify: true })
    expect((later.certificate as Json).root).not.toBe(certificate.root)
  })

  it('is verified, and fails for changed, added and hidden text and for a forged answer', async () => {
    box.put({ 'a.txt': 'needle\n', 'b.txt': 'two\n' })
    const { file, answer } = await certify()
    expect(await verify(file)).toMatchObject({ code: 0 })
    const result = answer.result as { hits: Json[] }
    writeFileSync(file, JSON.stringify({ ...answer, result: { ...result, hits: [] } }))
    expect((await verify(file)).stdout).toContain('missing in the answer')
    const forged = [...result.hits, { path: 'b.txt', line: 1, text: 'needle' }]
    writeFileSync(file, JSON.stringify({ ...answer, result: { ...result, hits: forged } }))
    expect((await verify(file)).stdout).toContain('not found any more')
    writeFileSync(file, JSON.stringify(answer))
    box.put({ 'c.txt': 'new\n' })
    expect(await verify(file)).toMatchObject({ code: 1 })
    rmSync(path.join(box.root, 'c.txt'))
    expect(await verify(file)).toMatchObject({ code: 0 })
    expect(await box.zeno(['verify', '--root', box.root])).toMatchObject({ code: 2 })
  })

  it.skipIf(!hasPython)('agrees with the independent checker of the examples', async () => {
    box.put({
      ...tree,
      'big.txt': 'needle\n'.repeat(300_000),
      '.env': 'needle\n',
      'x.pem': 'needle\n',
    })
    execFileSync('git', ['init', '-q', box.root])
    const { file, answer } = await certify()
    const check = () =>
      spawnSync('python3', [checker, box.root, file], {
        env: { ...process.env, RG: rgPath },
        encoding: 'utf8',
      })
    expect(check()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok: 2 files/) })
    const result = answer.result as { hits: Json[] }
    writeFileSync(
      file,
      JSON.stringify({ ...answer, result: { ...result, hits: result.hits.slice(1) } }),
    )
    expect(check().stdout).toContain('hidden by the answer: README.md:1')
    expect(readFileSync(checker, 'utf8').split('\n').length).toBeLessThanOrEqual(101)
  })
})

/** The root over a.txt, b.txt and c/d.txt, with SHA-256 alone. */
function expectedRoot(): string {
  const script = `sha() { sha256sum | cut -d' ' -f1; }
bytes() { printf "$(echo "$1" | sed 's/../\\\\x&/g')"; }
leaf() { { printf '\\0%s\\0' "$1"; bytes "$(printf "$2" | sha)"; } | sha; }
node() { { printf '\\001'; bytes "$1"; bytes "$2"; } | sha; }
node "$(node "$(leaf a.txt 'one\\n')" "$(leaf b.txt 'two\\n')")" "$(leaf c/d.txt '')"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()
}

describe('a shared server', () => {
  it('writes agent events that a client sends, with the connection', async () => {
    const socket = path.join(box.base, 's.sock')
    const log = path.join(box.base, 't.jsonl')
    const server = box.server(['--socket', socket, '--log', log])
    while (!existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 10))
    const args = JSON.stringify({ event: 'claim', claim_id: 'C1' })
    const send = ['send', '--root', box.root, '--socket', socket, '--op', 'event', '--args', args]
    expect(await box.zeno(send)).toMatchObject({ code: 0 })
    const claim = readEvents(log).find(({ event }) => event === 'claim')
    expect(claim).toMatchObject({ claim_id: 'C1', conn: expect.any(Number) })
    await server.kill('SIGTERM')
  })
})

it('a second --root is a usage error where a command reads one root', async () => {
  for (const command of [
    ['locate', 'x'],
    ['index', 'stats'],
  ]) {
    const ran = await box.zeno([...command, '--root', box.root, '--root', box.base])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('may be given only once')
  }
})

describe('format: "text"', () => {
  it('prints each path once, merges context and stays close to the size of ripgrep', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, n) => `  const value${n} = compute(${n}) // ${n % 9 === 0 ? 'needle' : 'x'}`,
    )
    box.put({ 'src/a.ts': `${lines.join('\n')}\n`, 'src/b.ts': 'needle\nx\nneedle\n' })
    const client = box.server()
    const short = await client.ok('grep', {
      pattern: 'needle',
      format: 'text',
      context: 1,
      paths: ['src/b.ts'],
    })
    expect(short.text).toBe('src/b.ts\n1: needle\n2- x\n3: needle\n')
    expect(short).not.toHaveProperty('hits')
    const { text } = await client.ok('grep', { pattern: 'needle', format: 'text' })
    const rg = execFileSync(rgPath, ['--heading', '-n', '--sort', 'path', 'needle', 'src'], {
      cwd: box.root,
    })
    expect(String(text).length).toBeLessThanOrEqual(rg.length * 1.1)
  })
})

it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'the Python client of the examples follows cursors and reports errors',
  () => {
    box.put({ 'a.txt': 'needle\n'.repeat(300) })
    const program = [
      `import sys; sys.path.insert(0, ${JSON.stringify(path.join(repository, 'examples/zeno'))})`,
      'from client import Zeno, ZenoError',
      `with Zeno(${JSON.stringify(box.root)}, command=${JSON.stringify(builtProgram('zeno'))}) as zeno:`,
      '    hits = list(zeno.pages("grep", "hits", pattern="needle", max_hits=1000, max_chars=2000))',
      '    print(len(hits))',
      '    try: zeno.request("read_file", path="../x")',
      '    except ZenoError as error: print(error)',
    ]
    const printed = execFileSync('python3', ['-B', '-c', program.join('\n')], { encoding: 'utf8' })
    expect(printed).toBe('300\npath outside root\n')
  },
)
