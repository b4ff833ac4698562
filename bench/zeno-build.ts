// Cost of building zeno's index, and how much a snapshot of an earlier server saves.
// ZENO_BENCH_TREE names the tree (sensible: 30,000 files and 250 MB or more, such as the sources of
// Linux); the default is the project's own node_modules. Build times are per GB of text.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Case, FunctionVariant, Place, Sample, Variant } from './harness/case.ts'

interface Paths {
  root: string
  zeno: string
}

const rare = process.env.ZENO_BENCH_RARE ?? 'page_cache_ra_unbounded'

export const cases: readonly Case[] = [buildCase(), snapshotCase()]

function buildCase(): Case {
  const [floor, own] = ['cat of all files, per GB', 'zeno index stats, per GB']
  const cat = 'find . -type f -size -2000001c -print0 | xargs -0 -P2 -n 2000 cat'
  return {
    name: 'build',
    question: 'how long does building an index take per GB of text?',
    repetitions: 5,
    prepare: (scratch) => writeFileSync(pathsFile(scratch), JSON.stringify(benchPaths())),
    variants: [
      perGigabyte(floor, () => cat),
      perGigabyte(own, ({ zeno }) => `"$NODE" "${zeno}" index stats --root . --private`),
    ],
    goals: [{ variant: own, figure: 'wall', atMost: 2200 }],
  }
}

function pathsFile(scratch: string): string {
  return path.join(scratch, 'paths.json')
}

/**
 * Works only in the main process of the bench: function variants run without the repository path.
 */
function benchPaths(): Paths {
  const repository = path.resolve(process.argv[1] ?? '', '../..')
  return {
    root: process.env.ZENO_BENCH_TREE ?? path.join(repository, 'node_modules'),
    zeno: path.join(repository, 'packages/zeno/bin/zeno.cjs'),
  }
}

function perGigabyte(name: string, script: (paths: Paths) => string): FunctionVariant {
  return {
    name,
    unit: 'MB',
    run: (scratch): Partial<Sample> => {
      const paths = JSON.parse(readFileSync(pathsFile(scratch), 'utf8')) as Paths
      const gigabytes = textBytes(paths) / 1e9
      const timed = `cd "$ROOT" && TIMEFORMAT="%R %U %S"; time { ${script(paths)} >/dev/null; }`
      const env = { ...process.env, NODE: process.execPath, ROOT: paths.root }
      const { stderr } = spawnSync('bash', ['-c', timed], { encoding: 'utf8', env })
      const times = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
      const [wall = 0, user = 0, system = 0] = times
      return { wallMs: (wall * 1000) / gigabytes, cpuMs: ((user + system) * 1000) / gigabytes }
    },
  }
}

/** Total bytes of the files that the index reads. */
function textBytes({ root, zeno }: Paths): number {
  const args = ['index', 'stats', '--root', root, '--private', '--json']
  const json = execFileSync(process.execPath, [zeno, ...args], { encoding: 'utf8' })
  return (JSON.parse(json) as { content_bytes: number }).content_bytes
}

function snapshotCase(): Case {
  const [peer, plain, own] = ['rg -F', 'zeno, cold', 'zeno, cold, with a snapshot']
  return {
    name: 'snapshot',
    question: 'what does the first answer of a new process cost?',
    repetitions: 10,
    prepare: (scratch) => {
      const { root, zeno } = benchPaths()
      const args = ['index', 'stats', '--root', root, '--private', '--snapshot']
      const env = { ...process.env, XDG_CACHE_HOME: path.join(scratch, 'cache') }
      execFileSync(process.execPath, [zeno, ...args], { env, stdio: 'ignore' })
    },
    variants: [rgVariant(peer), serveVariant(plain), serveVariant(own, '--snapshot')],
    goals: [
      { variant: plain, figure: 'wall', atMost: 1.5, peer },
      { variant: own, figure: 'wall', atMost: 1, peer },
    ],
  }
}

function rgVariant(name: string): Variant {
  const options = ['--no-config', '--no-ignore', '-a', '--max-filesize', '2000000']
  const leftOut = ['venv', 'node_modules', 'dist', 'build']
  const globs = leftOut.flatMap((folder) => ['-g', `!${folder}/`])
  return {
    name,
    command: ({ pipeline }) =>
      pipeline(
        'cd "$1" && shift && { "$@" || true; } | cat >/dev/null',
        ...[benchPaths().root, rgPath, ...options, ...globs, '-F', '-n', rare, '.'],
      ),
  }
}

function serveVariant(name: string, ...flags: string[]): Variant {
  const args = { pattern: rare, max_files: 10_000_000 }
  const request = JSON.stringify({ id: '1', op: 'grep', args })
  const ask = 'printf "%s\\n" "$request" | "$@" | cat >/dev/null'
  return {
    name,
    command: ({ pipeline, scratch, node }: Place) => {
      const { root, zeno } = benchPaths()
      return pipeline(
        `export XDG_CACHE_HOME="$1"; request="$2"; shift 2; ${ask}`,
        ...[path.join(scratch, 'cache'), request],
        ...[node, zeno, 'serve', '--root', root, ...flags],
      )
    },
  }
}
