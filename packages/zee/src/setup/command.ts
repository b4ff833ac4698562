// `zee setup`: shows what `zeno skill` and `zcl hooks` would change for a coding agent, asks, and lets them do it.
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { unifiedDiff } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { parsePlan, type PlannedChange } from '@zee/core/settings'
import { runProgram, type ProgramName } from '../programs/programs.ts'

export interface SetupOptions {
  undo: boolean
  user: boolean
  yes: boolean
}

const deadlineMs = 60_000
/** Agents whose tool calls zcl can record. */
const agentsWithHooks = new Set(['claude', 'codex', 'opencode', 'gemini'])

export async function runSetup(agent: string, options: SetupOptions, host: Host): Promise<number> {
  const commands = commandsFor(agent, options)
  const changes = await planned(commands, host)
  const write = streamWriter(host.stdout)
  if (changes.length === 0) {
    await write(
      `Nothing to change: zeno is ${options.undo ? 'not set up' : 'set up'} for ${agent}.\n`,
    )
    return 0
  }
  for (const { path: file, before, after } of changes) {
    await write(paintDiff(unifiedDiff(diffName(file, host.cwd), before, after), host))
  }
  if (!options.yes && host.stdin.isTTY && !(await isConfirmed(host))) {
    await write('Nothing was changed.\n')
    return 0
  }
  for (const [program, ...args] of commands) await write(await outputOf(program, args, host))
  return 0
}

/** Relative to the project if it is there; a diff puts `a/` and `b/` before it. */
function diffName(file: string, cwd: string): string {
  const relative = path.relative(cwd, file)
  return relative.startsWith('..') ? file.replace(/^\/+/, '') : relative
}

type Command = readonly [ProgramName, ...string[]]

function commandsFor(agent: string, { undo, user }: SetupOptions): Command[] {
  const words = [undo ? 'uninstall' : 'install', '--for', agent, ...(user ? ['--user'] : [])]
  const zeno: Command = ['zeno', 'skill', ...words]
  return agentsWithHooks.has(agent) ? [zeno, ['zcl', 'hooks', ...words]] : [zeno]
}

/** The changes of all commands. Both programs may change the same file, so zcl plans on top of zeno's changes. */
async function planned([zeno, zcl]: readonly Command[], host: Host): Promise<PlannedChange[]> {
  if (zeno === undefined) return []
  const lines = await outputOf('zeno', [...zeno.slice(1), '--json'], host)
  const changes = parsePlan(lines)
  if (zcl === undefined) return changes
  const more = parsePlan(await outputOf('zcl', [...zcl.slice(1), '--json', '--given'], host, lines))
  for (const change of more) {
    const earlier = changes.find((each) => each.path === change.path)
    if (earlier === undefined) changes.push(change)
    else earlier.after = change.after
  }
  return changes
}

async function outputOf(
  program: ProgramName,
  args: readonly string[],
  host: Host,
  input?: string,
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, host, deadlineMs, input)
  if (code === 0) return stdout
  throw new ZeeError('setup_failed', oneLine(stderr.trim()).replace(/^(zeno|zcl): /, ''))
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
