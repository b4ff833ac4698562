// A git repository of many small source files with a history, for benchmarks of requests that read both.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { cutTree } from './cut-tree.ts'

const commitFiles = 4
const words = ['cache', 'timeout', 'handler', 'parser', 'session', 'stale', 'retry', 'buffer']

/** Cuts the sources of `from` into `files` files below `to`, and adds commits that change some of them. */
export async function historyTree(
  from: string,
  to: string,
  files: number,
  commits: number,
): Promise<void> {
  mkdirSync(to, { recursive: true })
  await cutTree(path.join(from, 'packages'), to, files)
  execFileSync('git', ['init', '-q', '-b', 'main', to])
  const paths = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.c') && !name.startsWith('.git'),
  )
  const stream = Array.from({ length: commits }, (_, at) => commitOf(at, paths)).join('')
  execFileSync('git', ['-C', to, 'fast-import', '--quiet'], { input: stream })
}

function commitOf(at: number, paths: readonly string[]): string {
  const word = (shift: number): string => words[(at * 7 + shift) % words.length] ?? ''
  const message = `${word(0)}: fix ${word(3)} of ${word(5)}${at % 97}`
  const changes = Array.from({ length: commitFiles }, (_, file) => {
    const name = paths[(at * 31 + file * 7) % paths.length] ?? ''
    const text = `change ${at} of ${file}\n`
    return `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`
  })
  return (
    `commit refs/heads/main\ncommitter Bench <bench@example.com> ${1_700_000_000 + at * 60} +0000\n` +
    `data ${message.length}\n${message}\n${changes.join('')}\n`
  )
}
