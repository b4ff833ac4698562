// `zeno fleet` and `zeno serve --fleet` on a real PostgreSQL server; `git grep` is the reference.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, createSandbox } from '../contract/zeno/sandbox.ts'
import type { Json, Sandbox } from '../contract/zeno/sandbox.ts'
import { builtProgram } from '../support/paths.ts'
import { SilentProxy, startPostgres } from './postgres-server.ts'
import type { PostgresServer } from './postgres-server.ts'

let postgres: PostgresServer
let box: Sandbox
let urls: string[]
const names = ['alpha', 'beta', 'gamma', 'team/delta', 'team/epsilon', 'zeta']
const rounds = Number(process.env.ZEE_ROUNDS ?? 4)

beforeAll(async () => {
  postgres = await startPostgres()
  box = createSandbox()
  urls = ['one', 'two', 'three'].map((name) => postgres.createDatabase(name))
  for (const name of names) {
    commit(name, {
      'README.md': `# ${name}\nshared line\n`,
      'src/main.py': `def run_${name.replace('/', '_')}():\n    needle = 1\r\n    return needle\n`,
      'src/same.txt': 'the same text everywhere\nNeedle\n',
      'latin.txt': Buffer.from('caf\u00e9 needle\n', 'latin1'),
      'bin.dat': Buffer.from('\0needle\n'),
      'a%b_c.txt': '100% needle_x\n',
    })
  }
  await fleet(['init'])
  await fleet(['add', ...names.map((name) => `${name}=${folder(name)}`)])
}, 120_000)
afterAll(async () => {
  await box.remove()
  await postgres.stop()
})

function folder(name: string): string {
  return path.join(box.base, 'repositories', name)
}

function git(name: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
  const all = ['-c', 'core.autocrlf=false', ...identity, ...args]
  return execFileSync('git', all, { cwd: folder(name), encoding: 'latin1' })
}

function commit(name: string, files: Record<string, string | Buffer>): string {
  mkdirSync(folder(name), { recursive: true })
  git(name, 'init', '-q')
  box.put(files, folder(name))
  git(name, 'add', '-A')
  git(name, 'commit', '-qm', 'change')
  return git(name, 'rev-parse', 'HEAD').trim()
}

/** The repositories of a database, by name. */
function repositoriesIn(database: string): string[] {
  const found = postgres.sql(database, 'select name from zeno_fleet.repositories order by name')
  return found.split('\n').filter((name) => name !== '')
}

function databases(of: readonly string[] = urls): string[] {
  return of.flatMap((url) => ['--db', url])
}

async function fleet([command, ...args]: string[], of = urls): Promise<Json[]> {
  const ran = await box.zeno(['fleet', command as string, ...databases(of), '--json', ...args])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Json]))
}

function serve(of = urls, args: string[] = []): Client {
  return new Client(['serve', ...of.flatMap((url) => ['--fleet', url]), ...args], box.base)
}

/** `repository:path:line:text` of every hit of `git grep` on text files, in zeno's order. */
function gitGrep(flags: string[], pattern: string, of: readonly string[] = names): string[] {
  return of.flatMap((name) => {
    try {
      const found = git(name, 'grep', '-nI', ...flags, '-e', pattern, 'HEAD')
      const lines = found.split('\n').filter((line) => line !== '')
      return lines.map((line) => `${name}:${line.slice('HEAD:'.length).replace(/\r$/, '')}`)
    } catch {
      return []
    }
  })
}

async function zenoGrep(client: Client, args: Json): Promise<string[]> {
  const { hits } = await client.ok('grep', { max_hits: 10_000, ...args })
  return (hits as { path: string; line: number; text: string }[]).map(
    (hit) =>
      // The reference is read as Latin-1.
      `${hit.path}:${hit.line}:${hit.text.replaceAll('\ufffd', '\u00e9')}`,
  )
}

describe('a fleet over three databases', () => {
  it('finds what git grep finds, in the order of names', async () => {
    const client = serve()
    for (const [pattern, flags, args] of [
      ['needle', ['-F'], {}],
      ['needle', ['-Fi'], { case_sensitive: false }],
      ['100% needle_x', ['-F'], {}],
      ['n..dle', ['-E'], { regex: true }],
      ['e', ['-F'], {}],
      ['absent-word', ['-F'], {}],
      ['def run_', ['-F'], { roots: ['gamma', 'alpha'] }],
    ] as const) {
      const of = 'roots' in args ? ['alpha', 'gamma'] : names
      const expected = gitGrep([...flags], pattern, of)
      expect(await zenoGrep(client, { pattern, ...args })).toEqual(expected)
    }
    await client.end()
  })

  it('stores each text once in a shard, and cites repository, commit, path and lines', async () => {
    const client = serve()
    const commitName = git('alpha', 'rev-parse', 'HEAD').trim()
    const cite = `alpha@${commitName}:src/main.py:2`
    const { hits } = await client.ok('grep', { pattern: 'needle = 1', roots: ['alpha'] })
    expect(hits).toMatchObject([{ path: 'alpha:src/main.py', line: 2, cite }])
    const read = await client.ok('read_file', { path: cite.replace(/:2$/, ''), start_line: 2 })
    expect(read).toMatchObject({ path: 'alpha:src/main.py', text: '    needle = 1', cite })
    expect((await client.ok('list_files', { roots: ['zeta'] })).files).toEqual([
      ...['zeta:README.md', 'zeta:a%b_c.txt', 'zeta:bin.dat', 'zeta:latin.txt'],
      ...['zeta:src/main.py', 'zeta:src/same.txt'],
    ])
    expect(await client.ok('symbols', { name: 'run_team_delta' })).toMatchObject({
      symbols: [{ path: 'team/delta:src/main.py', kind: 'def', line: 1 }],
    })
    expect(await client.ok('locate', { text: 'run_gamma', max: 1 })).toMatchObject({
      results: [{ path: 'gamma:src/main.py' }],
    })
    await client.end()
    const status = await fleet(['status'])
    const shards = status.filter((row) => 'database' in row)
    expect(shards.map((row) => Number(row.repositories)).reduce((a, b) => a + b)).toBe(6)
    for (const url of ['one', 'two', 'three']) {
      const count = `select count(*) from zeno_fleet.blobs where body like 'the same text%'`
      expect(Number(postgres.sql(url, count))).toBeLessThanOrEqual(1)
    }
  })

  it('pages through the hits of all repositories', async () => {
    const client = serve()
    const all = await zenoGrep(client, { pattern: 'needle' })
    const pages: string[] = []
    let cursor: unknown
    do {
      const page = await client.ok('grep', { pattern: 'needle', max_chars: 400, cursor } as Json)
      const hits = page.hits as { path: string; line: number; text: string }[]
      pages.push(...hits.map((hit) => `${hit.path}:${hit.line}`))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(pages).toEqual(all.map((hit) => hit.split(':').slice(0, 3).join(':')))
    await client.end()
  })

  it('gives a token only its repositories, also by glob', async () => {
    const file = path.join(box.base, 'tokens.toml')
    writeFileSync(file, '[[tokens]]\ntoken = "team-token"\nroots = ["team/*"]\n', { mode: 0o600 })
    const client = serve(urls, ['--tokens', file])
    const ask = async (op: string, args: Json): Promise<Json> => {
      client.write(`${JSON.stringify({ id: 1, op, args, token: 'team-token' })}\n`)
      return (await client.next()) as unknown as Json
    }
    const found = (await ask('grep', { pattern: 'needle = 1' })) as { result: { hits: Json[] } }
    expect(found.result.hits.map((hit) => hit.path)).toEqual([
      ...['team/delta:src/main.py', 'team/epsilon:src/main.py'],
    ])
    for (const args of [{ path: 'alpha:README.md' }, { path: 'README.md', roots: ['alpha'] }]) {
      expect(await ask('read_file', args)).toMatchObject({
        ...{ ok: false, error: { message: 'unknown root: alpha' } },
      })
    }
    await client.end()
  })

  it('says `partial` and names the repositories of a shard that falls silent in a query', async () => {
    const proxy = await SilentProxy.open(postgres.port)
    // Placement is random, and a shard without repositories would not be missed.
    const shards = ['one', 'two', 'three'].map((name) => repositoriesIn(name))
    const most = Math.max(...shards.map((found) => found.length))
    const silent = shards.findIndex((found) => found.length === most)
    const missing = shards[silent] as string[]
    const through = urls.map((url, index) =>
      index === silent ? url.replace(`:${postgres.port}`, `:${proxy.port}`) : url,
    )
    const client = serve(through, ['--fleet-timeout', '4'])
    const args = { pattern: 'needle = 1' }
    const whole = await client.ok('grep', args)
    expect(whole.partial).toBeUndefined()
    const before = proxy.passed
    await client.ok('grep', args)
    const answer = proxy.passed - before
    // Before the first byte of the shard's answer, and in the middle of it.
    for (const bytes of [0, answer / 2]) {
      proxy.silenceAfter(bytes)
      const cut = await client.ok('grep', args)
      expect(cut).toMatchObject({ partial: true, missing })
      const paths = (cut.hits as { path: string }[]).map((hit) => hit.path.split(':')[0])
      expect(paths).toEqual(names.filter((name) => !missing.includes(name)))
      proxy.speak()
      const stop = Date.now() + 60_000
      // The server asks a silent shard again after some seconds.
      for (let again = cut; again.partial === true && Date.now() < stop;) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        again = await client.ok('grep', args)
        if (again.partial !== true) expect(again.hits).toEqual(whole.hits)
      }
    }
    await client.end()
    proxy.close()
  }, 180_000)
})

describe('syncing a fleet', () => {
  it('reads only what changed, and gc deletes texts that no repository has', async () => {
    expect(await fleet(['sync', 'alpha'])).toEqual([{ name: 'alpha', state: 'current' }])
    commit('alpha', { 'new.txt': 'a fresh text\n', 'README.md': '# alpha changed\n' })
    git('alpha', 'rm', '-q', 'latin.txt')
    git('alpha', 'commit', '-qm', 'remove')
    expect(await fleet(['sync', 'alpha'])).toMatchObject([
      { state: 'synced', changed: 2, removed: 1, texts: 2 },
    ])
    const client = serve()
    expect(await zenoGrep(client, { pattern: 'a' })).toEqual(gitGrep(['-F'], 'a'))
    await client.end()
    const deleted = await fleet(['gc'])
    expect(deleted.reduce((sum, row) => sum + Number(row.texts), 0)).toBeGreaterThan(0)
    expect((await fleet(['gc'])).every((row) => row.texts === 0)).toBe(true)
  })

  it(
    'keeps exactly one commit of a repository when it is killed at random',
    async () => {
      const files = (round: number): Record<string, string> =>
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [
            `d${n % 7}/f${n}.txt`,
            `round ${round} file ${n}\n`,
          ]),
        )
      const commits: string[] = [commit('zeta', files(0))]
      await fleet(['sync', 'zeta'])
      for (let round = 1; round <= rounds; round++) {
        commits.push(commit('zeta', files(round)))
        const args = ['fleet', 'sync', 'zeta', ...databases()]
        const child = spawn(builtProgram('zeno'), args, { cwd: box.base, stdio: 'ignore' })
        await new Promise((resolve) => setTimeout(resolve, 150 + ((round * 37) % 200)))
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        checkedCommit('zeta', commits)
      }
      await fleet(['sync', 'zeta'])
      expect(checkedCommit('zeta', commits)).toBe(commits.at(-1))
    },
    120_000 + rounds * 10_000,
  )

  it('is safe with several workers at once', async () => {
    for (const name of names)
      commit(name, { 'worker.txt': `common\nfor ${name}\n`, 'w2.txt': 'common\n' })
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => box.zeno(['fleet', 'sync', ...databases()])),
    )
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']))
    const client = serve()
    expect(await zenoGrep(client, { pattern: 'common' })).toEqual(gitGrep(['-F'], 'common'))
    await client.end()
  })

  it('moves repositories to a shard that is added, and needs all shards', async () => {
    const four = [...urls, postgres.createDatabase('four')]
    await fleet(['init'], four)
    await fleet(['sync'], four)
    const home = `select count(*) from zeno_fleet.repositories`
    const counts = ['one', 'two', 'three', 'four'].map((each) => Number(postgres.sql(each, home)))
    expect(counts.reduce((a, b) => a + b)).toBe(names.length)
    const client = serve(four)
    expect(await zenoGrep(client, { pattern: 'common' })).toEqual(gitGrep(['-F'], 'common'))
    await client.end()
    const moved = Number(counts[3]) > 0
    const without = await box.zeno(['fleet', 'sync', ...databases(urls)])
    expect(without.code).toBe(moved ? 1 : 0)
    if (moved) expect(without.stderr).toContain('name all databases with --db')
    urls = four
  })

  it('serves the other shards if one is down at the start, and fails if all are', async () => {
    const down = 'postgresql://postgres@127.0.0.1:1/none'
    const ran = await box.zeno(['serve', '--fleet', down], {
      input: '{"id":1,"op":"list_files"}\n',
    })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    const client = serve([...urls.slice(1), down])
    const { missing, partial } = await client.ok('grep', { pattern: 'common' })
    const expected = repositoriesIn('one')
    if (expected.length > 0)
      expect({ missing, partial }).toEqual({ missing: expected, partial: true })
    await client.end()
  })

  it('locates files by words that are in many texts', async () => {
    const texts = Array.from({ length: 320 }, (_, at) => [`f${at}.txt`, `frequent ${at}\n`])
    commit('gamma', { ...Object.fromEntries(texts), 'both.txt': 'frequent and popular\n' })
    commit('zeta', Object.fromEntries(texts.map(([name, text]) => [name, `popular ${text}`])))
    await fleet(['sync'])
    const client = serve()
    const text = 'Why is a popular thing frequent?'
    const found = await client.ok('locate', { text, roots: ['gamma'], max: 1 })
    expect(found.results).toMatchObject([{ path: 'gamma:both.txt' }])
    const all = await client.ok('locate', { text, max: 200 })
    const paths = (all.results as { path: string }[]).map((result) => result.path)
    expect(paths).toContain('gamma:both.txt')
    expect(paths.some((file) => file.startsWith('zeta:'))).toBe(true)
    await client.end()
  })

  it('reports a repository that cannot be read, and keeps its stored commit', async () => {
    git('beta', 'symbolic-ref', 'HEAD', 'refs/heads/nowhere')
    const ran = await box.zeno(['fleet', 'sync', 'beta', ...databases()])
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stdout).toMatch(/^beta: failed: /)
    const client = serve()
    const { files } = await client.ok('list_files', { roots: ['beta'] })
    expect(files).toContain('beta:README.md')
    await client.end()
  })
})

interface StoredFile {
  path: string
  object: string
  /** Base64; null for a file without a stored text. */
  body: string | null
}

/** The stored commit of a repository and its files, as the database has them. */
function storedFiles(name: string): { commit: string; files: StoredFile[] } {
  const text = `select json_build_object('commit', r.commit, 'files', json_agg(json_build_object(
      'path', f.path, 'object', encode(f.object, 'hex'),
      'body', encode(coalesce(b.raw, convert_to(b.body, 'UTF8')), 'base64')) order by f.path))
    from zeno_fleet.repositories r join zeno_fleet.files f on f.repository = r.id
    left join zeno_fleet.blobs b on b.id = f.blob where r.name = '${name}' group by r.commit`
  const found = ['one', 'two', 'three'].map((each) => postgres.sql(each, text)).join('')
  return JSON.parse(found) as { commit: string; files: StoredFile[] }
}

/** Checks that the stored files are exactly those of one of the commits, and returns that commit. */
function checkedCommit(name: string, commits: readonly string[]): string {
  const { commit: stored, files } = storedFiles(name)
  expect(commits).toContain(stored)
  const rows = git(name, 'ls-tree', '-r', stored).trimEnd().split('\n')
  expect(files.map((file) => `${file.object}\t${file.path}`)).toEqual(
    rows.map((row) => row.split(' ')[2]),
  )
  for (const { path: file, object, body } of files) {
    if (file === 'bin.dat') expect(body).toBeNull()
    else expect(objectOf(Buffer.from(body ?? '', 'base64'))).toBe(object)
  }
  return stored
}

function objectOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
