// Finds the four programs beside zee and runs them as processes.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { runProcess, shellExitCode, startProcess } from '@zee/core/process'

export const programNames = ['zdx', 'zeno', 'zino', 'zcl'] as const
export type ProgramName = (typeof programNames)[number]

export interface ProgramResult {
  code: number
  stdout: string
  stderr: string
}

const maxOutputBytes = 64 << 20
const defaultDeadlineMs = 60_000

/**
 * The packages lie side by side in the repository and in node_modules. install.sh adds the version to the
 * name of each folder.
 */
export function launcherOf(name: ProgramName): string {
  const own = path.dirname(__dirname)
  const folder = path.basename(own).replace(/^zee/, name)
  return path.join(own, '..', folder, 'bin', `${name}.cjs`)
}

/** Runs a program to its end and returns its output. */
export async function runProgram(
  name: ProgramName,
  args: readonly string[],
  host: Pick<Host, 'env' | 'cwd'>,
  deadlineMs: number = defaultDeadlineMs,
  input?: string,
): Promise<ProgramResult> {
  const launcher = launcherOf(name)
  if (!existsSync(launcher)) {
    throw new ZeeError(
      'program_missing',
      `${name} is not installed beside zee (looked for ${launcher})`,
    )
  }
  const result = await runProcess({
    command: process.execPath,
    args: [launcher, ...args],
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
  host: Pick<Host, 'env' | 'cwd'>,
): Promise<number> {
  const { process: child, failure } = await startProcess({
    command: process.execPath,
    args: [launcherOf(name), ...args],
    cwd: host.cwd,
    env: { ...host.env },
    stdin: 'inherit',
    stdout: 'inherit',
    stderr: 'inherit',
    foreground: true,
  })
  return shellExitCode(failure ?? (await child.exited))
}

/** The objects of a program's JSON lines. Other lines are skipped. */
export function parseJsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .map(parseObject)
    .filter((record) => record !== undefined)
}
