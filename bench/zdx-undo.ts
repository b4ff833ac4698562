// Cost of the snapshots that make shell commands undoable, in a clean git tree of 78,000 files. Ten turns in
// one conversation with one shell call each, beside ten runs of `git status`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Case, CommandVariant } from './harness/case.ts'

const files = 78_000
const filesPerFolder = 60
const turns = 10
const floor = 'git status, 10 times'
const large = `10 turns, ${files} files`

export const cases: readonly Case[] = [
  {
    name: 'turns',
    question: 'what does a turn with a shell call cost beside git status?',
    repetitions: 3,
    prepare,
    variants: [
      {
        name: floor,
        command: ({ pipeline, scratch }) =>
          pipeline(
            `for i in ${'1 '.repeat(turns)}; do git -C "$1" status --porcelain; done`,
            path.join(scratch, 'large'),
          ),
      },
      conversation('10 turns, empty repository', 'empty'),
      conversation(large, 'large'),
    ],
    goals: [{ variant: large, figure: 'cpu', atMost: 1.5, peer: floor }],
  },
]

/** Reads ten prompts from standard input; a screenplay answers each with a call of `sh` and a text. */
function conversation(name: string, repository: string): CommandVariant {
  return {
    name,
    command: ({ node, scratch, repository: zee, pipeline }) =>
      pipeline(
        `{ ${'echo next; '.repeat(turns)}} | ZDX_HOME="$1" "$2" "$3" --root "$4" --provider script --model "$5" 2>/dev/null`,
        path.join(scratch, 'home'),
        node,
        path.join(zee, 'packages/zdx/bin/zdx.cjs'),
        path.join(scratch, repository),
        path.join(scratch, 'play.jsonl'),
      ),
  }
}

function prepare(scratch: string): void {
  mkdirSync(path.join(scratch, 'home'))
  const turn = [
    // `sh` may run anything, so zdx takes a snapshot.
    { tool: 'bash', input: { command: 'sh -c true' } },
    { end: true },
    { text: 'done' },
    { end: true },
  ]
  const lines = Array.from({ length: turns }, () => turn.map((step) => JSON.stringify(step)))
  writeFileSync(path.join(scratch, 'play.jsonl'), `${lines.flat().join('\n')}\n`)
  makeRepository(path.join(scratch, 'empty'), 1)
  makeRepository(path.join(scratch, 'large'), files)
}

function makeRepository(folder: string, count: number): void {
  for (let number = 0; number < count; number++) {
    const part = path.join(folder, `p${Math.floor(number / filesPerFolder)}`)
    if (number % filesPerFolder === 0) mkdirSync(part, { recursive: true })
    // One content makes one object: git status compares times and sizes only.
    writeFileSync(path.join(part, `f${number}.c`), 'int f;\n')
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=b', '-c', 'user.email=b@b', ...args])
  git('init', '-q')
  // Otherwise git packs objects in the background.
  git('config', 'gc.auto', '0')
  git('config', 'maintenance.auto', 'false')
  git('add', '.')
  git('commit', '-qm', 'all')
  // The first status after a commit refreshes the index.
  git('status', '--porcelain')
}
