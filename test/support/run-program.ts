// Runs a built program and captures its output.
import { spawn } from 'node:child_process'
import { builtProgram } from './paths.ts'

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  input?: string | Uint8Array
}

export type ProgramName = Parameters<typeof builtProgram>[0]

export function runProgram(
  name: ProgramName,
  args: string[],
  options: RunOptions = {},
): Promise<Ran> {
  return runFile(builtProgram(name), args, options)
}

/**
 * Like runProgram, but file permissions apply even to root: drops the capabilities to bypass them.
 */
export function runUnprivileged(
  name: ProgramName,
  args: string[],
  options: RunOptions = {},
): Promise<Ran> {
  if (process.getuid?.() !== 0) return runProgram(name, args, options)
  const dropped = '--bounding-set=-dac_override,-dac_read_search'
  return runFile('setpriv', [dropped, builtProgram(name), ...args], options)
}

export function runFile(file: string, args: string[], options: RunOptions = {}): Promise<Ran> {
  const env = { ...process.env, ...options.env }
  const child = spawn(file, args, { cwd: options.cwd, env, stdio: 'pipe' })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    )
  })
}
