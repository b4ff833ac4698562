// Runs a command line over a script file to its end, its deadline or the caller's leaving. Whatever
// happens, be it to exc itself, neither the file nor a process of the script is left.
import type { ProcessResult, ProcessSpec } from '@zee/core/process'
import { runProcess } from '@zee/core/process'
import type { CommandLine, Sandbox } from './sandbox.ts'
import { withScriptFile } from './script-file.ts'
import type { ScriptReaper } from './script-reaper.ts'

export interface ScriptRuntime {
  env: Record<string, string>
  /** Where scripts lie while they run. */
  scriptFolder: string
  timeoutSeconds: number
  sandbox: Sandbox
  reaper: ScriptReaper
}

export interface Script {
  code: string
  fileExtension: string
  /** What runs the file. */
  commandLine(file: string): CommandLine
}

type Limits = Pick<ProcessSpec, 'deadlineMs' | 'captureBytes' | 'killGraceMs' | 'drainMs'>

/** Throws only when the file cannot be written or the caller has left. */
export async function runScript(
  { env, scriptFolder, reaper }: ScriptRuntime,
  script: Script,
  limits: Limits,
  signal: AbortSignal,
): Promise<ProcessResult> {
  await reaper.ready()
  const { code, fileExtension } = script
  return withScriptFile(scriptFolder, fileExtension, code, reaper, async (file) => {
    let session = ''
    const onStart = ({ pid }: { pid: number }) => {
      session = String(pid)
      reaper.track(session)
    }
    const spec = { ...script.commandLine(file), ...limits, env, signal, onStart }
    const result = await runProcess(spec).finally(() => reaper.untrack(session))
    signal.throwIfAborted()
    return result
  })
}
