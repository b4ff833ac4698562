// Finds the four programs beside zee and runs them as processes.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { forwardSignals, runProcess, shellExitCode, startProcess } from '@zee/core/process'

export const programNames = ['zdx', 'zeno', 'zino', 'zcl'] as const
export type ProgramName = (typeof programNames)[number]

export interface ProgramResult {
  code: number
  stdout: string
  stderr: string
}

const maxOutputBytes = 64 << 20
const defaultDeadlineMs = 60_000

/** How zee starts a program. */
export interface Installed {
  /** The launcher or the executable. */
  file: string
  command: string
  args: readonly string[]
}

/**
 * Finds a program beside zee. The packages lie side by side in the repository and in node_modules; install.sh
 * adds the version to the name of each folder. A single-file executable has its siblings in its own folder.
 */
export function findProgram(name: ProgramName): Installed {
  const own = path.dirname(__dirname)
  const folder = path.basename(own).replace(/^zee/, name)
  const launcher = path.join(own, '..', folder, 'bin', `${name}.cjs`)
  const executable = siblingExecutable(name)
  if (existsSync(launcher)) return { file: launcher, command: process.execPath, args: [launcher] }
  if (executable !== undefined && existsSync(executable)) {
    return { file: executable, command: executable, args: [] }
  }
  throw new ZeeError(
    'program_missing',
    `${name} is not installed beside zee (looked for ${executable ?? launcher})`,
  )
}

export function isInstalled(name: ProgramName): boolean {
  try {
    findProgram(name)
    return true
  } catch {
    return false
  }
}

/** `zee-linux-x64` has `zdx-linux-x64` beside it. Undefined if plain Node runs zee. */
function siblingExecutable(name: ProgramName): string | undefined {
  const { dir, base } = path.parse(process.execPath)
  return /^zee(?![a-z])/.test(base) ? path.join(dir, base.replace('zee', name)) : undefined
}

/** Runs a program to its end and returns its output. */
export async function runProgram(
  name: ProgramName,
  args: readonly string[],
  host: Pick<Host, 'env' | 'cwd'>,
  deadlineMs: number = defaultDeadlineMs,
  input?: string,
): Promise<ProgramResult> {
  const program = findProgram(name)
  const result = await runProcess({
    command: program.command,
    args: [...program.args, ...args],
    cwd: host.cwd,
    env: { ...host.env },
    captureBytes: maxOutputBytes,
    stdin: input === undefined ? 'null' : Buffer.from(input),
    deadlineMs,
  })
  return {
    code: shellExitCode(result),
    stdout: result.stdout.text(),
    stderr: result.stderr.text(),
  }
}

/** Hands the terminal to a program and returns its exit code. */
export async function runInTerminal(
  name: ProgramName,
  args: readonly string[],
  host: Pick<Host, 'env' | 'cwd' | 'stdin'>,
): Promise<number> {
  const program = findProgram(name)
  // A terminal sends Ctrl+C to both processes: zee must survive it, and the program must get it once.
  const keys = host.stdin.isTTY ? forwardSignals(['SIGINT', 'SIGQUIT']) : undefined
  const signals = forwardSignals(keys && ['SIGTERM', 'SIGHUP'])
  const { process: child, failure } = await startProcess({
    command: program.command,
    args: [...program.args, ...args],
    cwd: host.cwd,
    env: { ...host.env },
    stdin: 'inherit',
    stdout: 'inherit',
    stderr: 'inherit',
    foreground: true,
  })
  if (child !== undefined) signals.attach(child)
  const code = shellExitCode(failure ?? (await child.exited))
  for (const each of [signals, keys]) each?.detach()
  return code
}

/** The objects of a program's JSON lines. Other lines are skipped. */
export function parseJsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .map(parseObject)
    .filter((record) => record !== undefined)
}
