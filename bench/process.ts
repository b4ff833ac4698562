// Cost of relaying a child's output: 512 MB through the process runner's passthrough, compared with
// `cat` in the same place and with the same number of pipes.
import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { runProcess } from '@zee/core/process'
import type { BenchFile, Case } from './harness/case.ts'

const megabytes = 512
const peer = 'cat file | cat | cat'
const relayed = 'cat file | passthrough | cat'

export const cases: readonly Case[] = [
  {
    name: 'passthrough',
    question: `how fast, and with how much memory, do ${megabytes} MB pass through?`,
    repetitions: 5,
    prepare: (scratch) => writeZeros(path.join(scratch, 'data')),
    variants: [
      {
        name: peer,
        command: ({ pipeline, scratch }) =>
          pipeline('cat "$1" | cat | cat >/dev/null', path.join(scratch, 'data')),
      },
      {
        name: relayed,
        command: ({ pipeline, program, scratch }) =>
          pipeline(
            '"$@" | cat >/dev/null',
            ...program('process/passthrough', path.join(scratch, 'data')),
          ),
      },
    ],
    goals: [
      { variant: relayed, figure: 'wall', atMost: 1.6, peer },
      { variant: relayed, figure: 'rss', atMost: 90 },
    ],
  },
]

export const programs: BenchFile['programs'] = {
  async passthrough(args) {
    const result = await runProcess({
      command: 'cat',
      args,
      env: process.env,
      passthrough: true,
      captureBytes: 64 * 1024,
    })
    if (result.stdout.bytes !== megabytes * 1_000_000) {
      throw new Error(`${result.stdout.bytes} bytes passed through`)
    }
    process.exitCode = result.exitCode ?? 1
  },
}

function writeZeros(file: string): void {
  const chunk = Buffer.alloc(1_000_000)
  const fd = openSync(file, 'w')
  for (let index = 0; index < megabytes; index++) writeSync(fd, chunk)
  closeSync(fd)
}
