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
export declare function runProgram(
  name: ProgramName,
  args: string[],
  options?: RunOptions,
): Promise<Ran>
export declare function runFile(file: string, args: string[], options?: RunOptions): Promise<Ran>
