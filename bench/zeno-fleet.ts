// A fleet of 2,000 small repositories over three PostgreSQL databases: what does loading cost per repository and per GB
// of distinct text, how large is it, how fast are requests, and are the hits those of `git grep`? One database falls
// silent at the end. ZENO_BENCH_TREES names folders of source code, separated by colons (default: the source of Linux,
// where it is unpacked, and this project's modules); ZENO_BENCH_COUNT the number of repositories. Needs PostgreSQL.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SilentProxy, startPostgres } from '../test/services/postgres-server.ts'
import type { PostgresServer } from '../test/services/postgres-server.ts'
import type { Case } from './harness/case.ts'
import { smallRepositories } from './harness/small-repositories.ts'
import type { SmallRepository } from './harness/small-repositories.ts'
import { repositoryOf, serverOf, storeRepository } from './harness/zeno-server.ts'
import type { Server } from './harness/zeno-server.ts'

interface Figures {
  differences: number
  missing: number
}

const count = Number(process.env.ZENO_BENCH_COUNT ?? 2000)
const databases = ['one', 'two', 'three']
/** Requests of each kind. */
const rounds = 60

export const cases: readonly Case[] = [
  {
    name: 'fleet',
    question: '2,000 repositories over three databases: load, size, latency and equality',
    repetitions: 1,
    async prepare(scratch) {
      storeRepository(scratch)
      const figures = await measure(scratch)
      writeFileSync(path.join(scratch, 'fleet.json'), JSON.stringify(figures))
    },
    variants: [
      { name: 'hits that differ', unit: 'hits', run: (at) => figuresOf(at).differences },
      { name: 'missing repositories', unit: 'names', run: (at) => figuresOf(at).missing },
    ],
    goals: [{ variant: 'hits that differ', figure: 'amount', atMost: 0 }],
  },
]

function figuresOf(scratch: string): Figures {
  return JSON.parse(readFileSync(path.join(scratch, 'fleet.json'), 'utf8')) as Figures
}

async function measure(scratch: string): Promise<Figures> {
  const modules = path.join(repositoryOf(scratch), 'node_modules')
  const trees = process.env.ZENO_BENCH_TREES?.split(':') ?? ['/usr/src/linux-source-6.1', modules]
  const found = trees.filter((tree) => existsSync(tree))
  const repositories = smallRepositories(found, path.join(scratch, 'repositories'), count)
  const postgres = await startPostgres()
  const proxy = await SilentProxy.open(postgres.port)
  try {
    const urls = databases.map((name) => postgres.createDatabase(name))
    load(scratch, repositories, urls, postgres)
    const through = urls.map((url, at) =>
      at === 0 ? url.replace(`:${postgres.port}`, `:${proxy.port}`) : url,
    )
    const args = through.flatMap((url) => ['--fleet', url])
    const zeno = path.join(repositoryOf(scratch), 'packages/zeno/bin/zeno.cjs')
    // git grep also searches files that zeno denies by their names.
    const limit = ['--fleet-timeout', '3', '--max-answer', '500000000', '--allow-secrets']
    const child = spawn(process.execPath, [zeno, 'serve', ...args, ...limit], { stdio: 'pipe' })
    try {
      const server = serverOf(child)
      const differences = await compareWithGit(server, repositories)
      await latencies(server)
      console.log(`server: ${Math.round(server.rssMib())} MiB at most`)
      return { differences, missing: await silence(server, proxy) }
    } finally {
      child.kill('SIGKILL')
    }
  } finally {
    proxy.close()
    await postgres.stop()
  }
}

/** Loads all repositories with one worker, and prints what it cost. */
function load(
  scratch: string,
  repositories: readonly SmallRepository[],
  urls: readonly string[],
  postgres: PostgresServer,
): void {
  const zeno = path.join(repositoryOf(scratch), 'packages/zeno/bin/zeno.cjs')
  const fleet = (command: string, ...args: string[]): number => {
    const options = ['fleet', command, ...urls.flatMap((url) => ['--db', url]), ...args]
    const timed = ['-c', 'time -p "$0" "$@"', process.execPath, zeno, ...options]
    const ran = spawnSync('bash', timed, { encoding: 'utf8', maxBuffer: 1 << 28 })
    if (ran.status !== 0) throw new Error(ran.stderr)
    const [, user = 0, system = 0] = /user ([\d.]+)\nsys ([\d.]+)/.exec(ran.stderr) ?? []
    return Number(user) + Number(system)
  }
  fleet('init')
  const before = postgresCpu()
  const started = performance.now()
  const cpu = fleet('add', ...repositories.map(({ name, folder }) => `${name}=${folder}`))
  const wall = (performance.now() - started) / 1000
  const loaded = postgresCpu() - before
  const sum = (text: string): number =>
    databases.reduce((total, database) => total + Number(postgres.sql(database, text)), 0)
  const texts = sum('select count(*) from zeno_fleet.blobs')
  const gb =
    sum(
      'select coalesce(sum(coalesce(octet_length(raw), octet_length(body))), 0) from zeno_fleet.blobs',
    ) / 1e9
  const size = (relation: string): number =>
    sum(`select pg_total_relation_size('zeno_fleet.${relation}')`) / 1e6
  const index = sum(
    `select coalesce(sum(pg_relation_size(indexrelid)), 0) from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = 'zeno_fleet.blobs'::regclass and relam = (select oid from pg_am where amname = 'gin')`,
  )
  const blobs = size('blobs') - index / 1e6
  const row = (name: string, total: number, unit: string): string =>
    `| ${name} | ${total.toFixed(1)} ${unit} | ${((1000 * total) / repositories.length).toFixed(1)} ${unit === 's' ? 'ms' : 'KB'} | ${(total / gb).toFixed(1)} ${unit} |`
  console.log(
    [
      `load ${os.loadavg()[0]?.toFixed(0)}, ${repositories.length} repositories, ${sum('select count(*) from zeno_fleet.files')} files, ${texts} texts, ${(gb * 1000).toFixed(0)} MB of distinct text`,
      '| part | in total | per repository | per GB |',
      row('CPU time of PostgreSQL', loaded, 's'),
      row('CPU time of zeno', cpu, 's'),
      row('wall time, one worker', wall, 's'),
      row('table of texts', blobs, 'MB'),
      row('trigram index', index / 1e6, 'MB'),
      row('paths', size('files'), 'MB'),
    ].join('\n'),
  )
}

/** CPU seconds of all processes of PostgreSQL on this machine, those that ended included. */
function postgresCpu(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      if (!stat.includes('(postgres)')) continue
      const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
      // A backend that ended counts as a child of the postmaster.
      for (const field of [11, 12, 13, 14]) ticks += Number(fields[field])
    } catch {
      // The process ended meanwhile.
    }
  }
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
}

const kinds: readonly [name: string, op: string, args: (round: number) => object][] = [
  [
    'grep, rare word',
    'grep',
    (at) => ({ pattern: `devm_clk_get_optional`.slice(0, 21 - (at % 3)) }),
  ],
  ['grep, absent word', 'grep', (at) => ({ pattern: `zzqxabsent${at}` })],
  [
    'grep, common word, 200 hits',
    'grep',
    (at) => ({ pattern: ['return', 'static', 'value'][at % 3] }),
  ],
  [
    'grep, rare word without case',
    'grep',
    (at) => ({ pattern: `Kfree_Sensitive${at % 2 ? '' : '('}`, case_sensitive: false }),
  ],
  [
    'grep, regex with a rare word',
    'grep',
    (at) => ({ pattern: `spin_lock_init\\(&\\w+${at % 2 ? '->' : ''}`, regex: true }),
  ],
  [
    'locate, 5 words',
    'locate',
    (at) => ({
      text: `timeout of the ${['clock', 'cache', 'socket'][at % 3]} driver is not reset on resume`,
    }),
  ],
  [
    'symbols, a name',
    'symbols',
    (at) => ({ name: ['kmalloc', 'parse', 'probe', 'open', 'createServer'][at % 5] }),
  ],
]

async function latencies(server: Server): Promise<void> {
  for (const [name, op, args] of kinds) {
    const times: number[] = []
    const total = op === 'grep' ? rounds : 20
    for (let round = 0; round < total; round++) {
      const started = performance.now()
      await server.ask(op, args(round))
      times.push(performance.now() - started)
    }
    times.sort((a, b) => a - b)
    const at = (share: number): string =>
      `${Math.round(times[Math.floor(times.length * share)] ?? 0)} ms`
    console.log(
      `| ${name} | ${at(0.5)} | ${at(0.99)} | ${at(0)} | load ${os.loadavg()[0]?.toFixed(0)}`,
    )
  }
}

/** All hits of some words, compared line by line with `git grep` in each repository. */
async function compareWithGit(
  server: Server,
  repositories: readonly SmallRepository[],
): Promise<number> {
  let differences = 0
  for (const word of ['kfree_sensitive', 'timeout', 'zzqxabsent']) {
    const args = { pattern: word, max_hits: 10_000_000, max_files: 10_000_000, max_bytes: 1 << 30 }
    const { hits } = await server.ask('grep', { ...args, include_hidden: true })
    const own = new Set(
      (hits as { path: string; line: number }[]).map((hit) => `${hit.path}:${hit.line}`),
    )
    const expected = new Set<string>()
    const started = performance.now()
    for (const { name, folder } of repositories) {
      const { stdout } = spawnSync('git', ['grep', '-nI', '-F', '-e', word, 'HEAD'], {
        cwd: folder,
        encoding: 'latin1',
        maxBuffer: 1 << 28,
      })
      for (const line of stdout.split('\n')) {
        const [, file, number] = /^HEAD:(.*?):(\d+):/.exec(line) ?? []
        if (file !== undefined) expected.add(`${name}:${file}:${number}`)
      }
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const lacking = [...expected].filter((hit) => !own.has(hit)).length
    const extra = [...own].filter((hit) => !expected.has(hit)).length
    console.log(
      `${word}: ${own.size} hits, git grep ${expected.size} in ${seconds} s, ${lacking} lacking, ${extra} extra`,
    )
    differences += lacking + extra
  }
  return differences
}

/** One database falls silent in the middle of an answer. */
async function silence(server: Server, proxy: SilentProxy): Promise<number> {
  const before = proxy.passed
  await server.ask('grep', { pattern: 'timeout' })
  proxy.silenceAfter((proxy.passed - before) / 2)
  const started = performance.now()
  const answer = await server.ask('grep', { pattern: 'timeout' })
  const first = performance.now() - started
  const again = performance.now()
  await server.ask('grep', { pattern: 'timeout' })
  const missing = Number(
    answer.missing_total ?? (answer.missing as string[] | undefined)?.length ?? 0,
  )
  console.log(
    `silent shard: partial ${String(answer.partial)}, ${missing} missing, ${Math.round(first)} ms, then ${Math.round(performance.now() - again)} ms`,
  )
  return missing
}
