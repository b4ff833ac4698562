// Runs a command line of zcl in the process of the test. `zcl view` only makes the contents of its page,
// because the page itself is a part of the built program.
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fixedClock } from '@zee/core/clock'
import { runCommandLine } from '@zee/core/command-line'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import { findTarget } from '@zee/evidence/runs'
import { tree } from '../src/cli/cli.ts'
import { comparisonPage } from '../src/view/comparison-page.ts'
import { attemptPage, runPage } from '../src/view/run-page.ts'
import { describe } from '../src/describe-error.ts'

export interface Ran {
  code: number
  out: string
  err: string
}

/**
 * Runs the words of `line`, which are separated by single spaces, in the folder `cwd`. An underscore in the
 * query of `zcl query` stands for a space.
 */
export async function zclHere(line: string, cwd: string, now: string, input = ''): Promise<Ran> {
  const said = { out: '', err: '' }
  const stream = (kind: 'out' | 'err') =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          said[kind] += chunk.toString()
          done()
        },
      }),
      { isTTY: false },
    ) as unknown as NodeJS.WriteStream
  const host: Host = {
    env: { HOME: `${cwd}/home` },
    cwd,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]) as unknown as NodeJS.ReadStream,
    stdout: stream('out'),
    stderr: stream('err'),
    clock: fixedClock(new Date(now)),
  }
  try {
    const words = line.split(' ')
    if (words[0] === 'query') words[1] = words[1]?.replaceAll('_', ' ') ?? ''
    if (words[0] === 'view') return { code: 0, out: await pageOf(words.slice(1), host), err: '' }
    return { code: await runCommandLine(tree, words, host), ...said }
  } catch (error) {
    const { line: last, exitCode } = describe(error)
    if (process.env.ZEE_DEBUG === '1' && last.includes('unexpected')) console.error(error)
    return { code: exitCode, out: said.out, err: said.err + last }
  }
}

/** The contents of the page of one or two folders. */
async function pageOf(folders: readonly string[], host: Host): Promise<string> {
  const now = () => host.clock.now().toISOString()
  const maker = { madeBy: 'zcl', now, redactor: createRedactor({}) }
  const [first = '', second] = folders.map((folder) => path.resolve(host.cwd, folder))
  if (second !== undefined) return comparisonPage([first, second], maker).json
  const target = findTarget(first)
  const page = target.kind === 'attempt' ? attemptPage(target, maker) : runPage(first, maker)
  return (await page).json
}
