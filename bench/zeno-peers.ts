// zeno beside ripgrep, git grep and codesearch on one tree, in one run: warm and cold searches, time and memory of the
// index build, and its size. ZENO_BENCH_TREE names the tree; the default is the project's own node_modules. codesearch
// (cindex and csearch of the Debian package) is left out if it is not in the PATH.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Case, CommandVariant, FunctionVariant, Variant } from './harness/case.ts'
import { repositoryOf, storeRepository, warmRequests, withServer } from './harness/zeno-server.ts'

interface Question {
  name: string
  pattern: string
  isRegex?: true
}

const word = (name: string, other: string): string => process.env[`ZENO_BENCH_${name}`] ?? other
const everything = { max_files: 10_000_000, max_hits: 10_000_000, default_excludes: false }
const hasCodesearch = ['cindex', 'csearch'].every(
  (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0,
)

const questions: readonly Question[] = [
  { name: 'rare', pattern: word('RARE', 'page_cache_ra_unbounded') },
  { name: 'absent', pattern: 'zzqxnotfound' },
  { name: 'common', pattern: word('COMMON', 'EXPORT_SYMBOL_GPL') },
  { name: 'regex', pattern: String.raw`static int \w+_probe\(struct usb_`, isRegex: true },
]

export const cases: readonly Case[] = [...questions.map(searchCase), referencesCase(), buildCase()]

function tree(scratch: string): string {
  return process.env.ZENO_BENCH_TREE ?? path.join(repositoryOf(scratch), 'node_modules')
}

function indexFile(scratch: string): string {
  return path.join(scratch, 'csearchindex')
}

function searchCase(question: Question): Case {
  const { name, pattern, isRegex } = question
  const warm = 'zeno, warm, p50'
  const plain = isRegex === true ? [] : ['-F']
  const rg = [rgPath, '--no-config', '--no-ignore', '-a', '-n', ...plain, pattern, '.']
  const gitGrep = ['git', 'grep', '--no-index', '--no-exclude-standard', '-a', '-n']
  const variants: Variant[] = [
    inTree('rg -n', rg),
    inTree('git grep --no-index', [...gitGrep, isRegex === true ? '-P' : '-F', '-e', pattern]),
    ...(hasCodesearch ? [csearch(isRegex === true ? pattern : escaped(pattern))] : []),
    warmSearch(warm, { ...everything, pattern, regex: isRegex === true }),
    coldSearch({ ...everything, pattern, regex: isRegex === true }),
  ]
  return {
    name: `peers ${name}`,
    question: `what does ${JSON.stringify(pattern)} cost, all hits, beside other programs?`,
    repetitions: 5,
    prepare(scratch) {
      storeRepository(scratch)
      if (hasCodesearch) buildCodesearch(scratch)
    },
    variants,
    goals: [
      { variant: warm, figure: 'wall', timesFaster: 10, peer: 'git grep --no-index' },
      ...(hasCodesearch
        ? [{ variant: warm, figure: 'wall', timesFaster: 1, peer: 'csearch -n' } as const]
        : []),
    ],
  }
}

function referencesCase(): Case {
  const name = word('NAME', 'kmalloc')
  const [peer, warm] = ['rg -nw', 'zeno references, first 200, p50']
  const all = 'zeno references, all, p50'
  const selected = { name, max_files: 10_000_000, default_excludes: false }
  return {
    name: 'peers references',
    question: `what do the references of ${name} cost?`,
    repetitions: 5,
    prepare: storeRepository,
    variants: [
      inTree(peer, [rgPath, '--no-config', '--no-ignore', '-a', '-nw', name, '.']),
      warmRequests(warm, { root: tree, op: 'references', args: selected }),
      warmRequests(all, { root: tree, op: 'references', args: { ...selected, max: 10_000_000 } }),
    ],
    goals: [
      { variant: warm, figure: 'wall', timesFaster: 20, peer },
      { variant: all, figure: 'cpu', timesFaster: 20, peer },
    ],
  }
}

/** The amount is the size of the index. */
function buildCase(): Case {
  const zeno: FunctionVariant = {
    name: 'zeno, build',
    unit: 'MB of index',
    run: async (scratch) => {
      const began = performance.now()
      return withServer(scratch, tree(scratch), async (server) => {
        const wallMs = performance.now() - began
        const { index } = await server.ask('index_stats', {})
        const { signature_bytes: bytes } = index as { signature_bytes: number }
        return { wallMs, cpuMs: server.cpuMs(), rssMib: server.rssMib(), amount: bytes / 1e6 }
      })
    },
  }
  const codesearch: FunctionVariant = {
    name: 'cindex, build',
    unit: 'MB of index',
    run: (scratch) => {
      const { wallMs, cpuMs, rssMib } = buildCodesearch(scratch)
      return { wallMs, cpuMs, rssMib, amount: statSync(indexFile(scratch)).size / 1e6 }
    },
  }
  return {
    name: 'peers build',
    question: 'how long does the index take to build, and how large is it?',
    repetitions: 2,
    prepare: storeRepository,
    variants: hasCodesearch ? [codesearch, zeno] : [zeno],
    goals: [],
  }
}

function inTree(name: string, command: readonly string[]): CommandVariant {
  return {
    name,
    command: ({ scratch }) => [
      ...['bash', '-c', 'cd "$1" && shift && "$@" >/dev/null; true', 'bench', tree(scratch)],
      ...command,
    ],
  }
}

function csearch(pattern: string): CommandVariant {
  return {
    name: 'csearch -n',
    command: ({ scratch }) => [
      ...['bash', '-c', 'CSEARCHINDEX="$1" csearch -n "$2" >/dev/null; true', 'bench'],
      ...[indexFile(scratch), pattern],
    ],
  }
}

function warmSearch(name: string, args: Record<string, unknown>): FunctionVariant {
  return warmRequests(name, { root: tree, op: 'grep', args })
}

/** A new process that answers one request from the disk. */
function coldSearch(args: Record<string, unknown>): CommandVariant {
  const request = JSON.stringify({ id: 'cold', op: 'grep', args })
  return {
    name: 'zeno, cold process',
    command: ({ scratch, node, repository }) => [
      ...['bash', '-c', 'printf "%s\\n" "$1" | "$2" "$3" serve --root "$4" >/dev/null', 'bench'],
      ...[request, node, path.join(repository, 'packages/zeno/bin/zeno.cjs'), tree(scratch)],
    ],
  }
}

function buildCodesearch(scratch: string): { wallMs: number; cpuMs: number; rssMib: number } {
  const file = indexFile(scratch)
  rmSync(file, { force: true })
  const usage = path.join(scratch, 'cindex-usage')
  const program = `
import os, resource, subprocess, sys
subprocess.run(['cindex', sys.argv[1]], stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[2], 'w').write(f'{(used.ru_utime + used.ru_stime) * 1000} {used.ru_maxrss / 1024}')`
  const began = performance.now()
  execFileSync('python3', ['-c', program, tree(scratch), usage], {
    env: { ...process.env, CSEARCHINDEX: file },
  })
  const wallMs = performance.now() - began
  const [cpuMs = 0, rssMib = 0] = readFileSync(usage, 'utf8').split(' ').map(Number)
  return { wallMs, cpuMs, rssMib }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
