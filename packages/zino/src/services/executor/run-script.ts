// Runs a command line on a script file until it ends, its deadline passes or the caller disconnects.
// Neither the file nor a process of the script remains, even if exc itself is killed.
import type { ProcessResult, ProcessSpec } from '@zee/core/process'
import { runProcess } from '@zee/core/process'
import type { CommandLine, Sandbox } from './sandbox.ts'
import { withScriptFile } from './script-file.ts'
import type { ScriptReaper } from './script-reaper.ts'

export interface ScriptRuntime {
  env: Record<string, string>
  /** Folder of the script files. */
  scriptFolder: string
  timeoutSeconds: number
  sandbox: Sandbox
  reaper: ScriptReaper
}

export interface Script {
  code: string
  fileExtension: string
  /** The command line that runs the file. */
  commandLine(file: string): CommandLine
}

type Limits = Pick<ProcessSpec, 'deadlineMs' | 'captureBytes' | 'killGraceMs' | 'drainMs'>

/** Throws only when the file cannot be written or the caller has disconnected. */
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
    const spec = { ...script.commandLine(file), ...limits, env, isMarked: true, signal, onStart }
    const result = await runProcess(spec).finally(() => reaper.untrack(session))
    signal.throwIfAborted()
    return result
  })
}
