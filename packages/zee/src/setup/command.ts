// `zee setup`: shows what `zeno skill` would change for a coding agent, asks, and lets zeno do it.
import { createInterface } from 'node:readline/promises'
import { unifiedDiff } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { parseJsonLines, runProgram } from '../programs/programs.ts'

export interface SetupOptions {
  undo: boolean
  user: boolean
  yes: boolean
}

export async function runSetup(agent: string, options: SetupOptions, host: Host): Promise<number> {
  const words = ['skill', options.undo ? 'uninstall' : 'install', '--for', agent]
  if (options.user) words.push('--user')
  const changes = parseJsonLines(await zeno([...words, '--json'], host))
  const write = streamWriter(host.stdout)
  if (changes.length === 0) {
    await write(
      `Nothing to change: zeno is ${options.undo ? 'not set up' : 'set up'} for ${agent}.\n`,
    )
    return 0
  }
  for (const { path, before, after } of changes) {
    await write(paintDiff(unifiedDiff(String(path), textOrNull(before), textOrNull(after)), host))
  }
  if (!options.yes && host.stdin.isTTY && !(await isConfirmed(host))) {
    await write('Nothing was changed.\n')
    return 0
  }
  await write(await zeno(words, host))
  return 0
}

async function zeno(args: readonly string[], host: Host): Promise<string> {
  const { code, stdout, stderr } = await runProgram('zeno', args, host)
  if (code === 0) return stdout
  throw new ZeeError('setup_failed', oneLine(stderr.trim()).replace(/^zeno: /, ''))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function paintDiff(diff: string, host: Host): string {
  const { green, red, cyan } = coloursFor(host.stdout, host.env)
  const paint = (line: string): string => {
    const text = withoutControls(line)
    if (line.startsWith('@@')) return cyan(text)
    return line.startsWith('+') ? green(text) : line.startsWith('-') ? red(text) : text
  }
  return diff.split('\n').map(paint).join('\n')
}

async function isConfirmed(host: Host): Promise<boolean> {
  const lines = createInterface({ input: host.stdin, output: host.stdout })
  const answer = await lines.question('Write these changes? [y/N] ').catch(() => '')
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
