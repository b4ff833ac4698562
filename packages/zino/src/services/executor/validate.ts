// Static analysis of a script by the tool of its definition, if that is installed.
import { decodeUtf8 } from '@zee/core/bounded'
import type { Tool } from '../../definitions/definitions.ts'
import { isOnPath } from './on-path.ts'
import type { ScriptRuntime } from './run-script.ts'
import { runScript } from './run-script.ts'

export interface Validation {
  ok: boolean
  errors: string
}

const validationSeconds = 15

export function hasValidator(tool: Tool, env: ScriptRuntime['env']): boolean {
  return tool.staticAnalysis !== undefined && isOnPath(tool.staticAnalysis, env.PATH)
}

/** Without an installed analysis tool the code passes. */
export async function validate(
  runtime: ScriptRuntime,
  tool: Tool,
  code: string,
  signal: AbortSignal,
): Promise<Validation> {
  const { staticAnalysis, fileExtension } = tool
  if (staticAnalysis === undefined || !hasValidator(tool, runtime.env)) {
    return { ok: true, errors: '' }
  }
  const commandLine = (file: string) => ({ command: staticAnalysis, args: [file] })
  const limits = { deadlineMs: validationSeconds * 1000 }
  const result = await runScript(runtime, { code, fileExtension, commandLine }, limits, signal)
  if (result.timedOut) return { ok: false, errors: 'Validation timed out.' }
  const findings = decodeUtf8(result.stdout.capture) + decodeUtf8(result.stderr.capture)
  const ok = result.outcome === 'exited' && result.exitCode === 0
  return { ok, errors: findings.trim() || (result.error ?? '') }
}
