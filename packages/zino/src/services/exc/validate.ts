// Static analysis of a script by the tool that its definition names, when that is installed.
import { decodeUtf8 } from '@zee/core/bounded'
import { runProcess } from '@zee/core/process'
import type { Tool } from '../../definitions/tools.ts'
import type { Workshop } from './execute.ts'
import { isOnPath } from './on-path.ts'
import { withScript } from './script-file.ts'

export interface Validation {
  ok: boolean
  errors: string
}

const validationSeconds = 15

export function hasValidator(tool: Tool, env: Workshop['env']): boolean {
  return tool.staticAnalysis !== undefined && isOnPath(tool.staticAnalysis, env.PATH)
}

/** Nothing to say is a pass. */
export async function validate(
  workshop: Workshop,
  tool: Tool,
  code: string,
  signal: AbortSignal,
): Promise<Validation> {
  const { staticAnalysis } = tool
  if (staticAnalysis === undefined || !hasValidator(tool, workshop.env)) {
    return { ok: true, errors: '' }
  }
  return withScript(workshop.scriptFolder, tool.fileExtension, code, async (file) => {
    const result = await runProcess({
      command: staticAnalysis,
      args: [file],
      env: workshop.env,
      deadlineMs: validationSeconds * 1000,
      signal,
    })
    signal.throwIfAborted()
    if (result.timedOut) return { ok: false, errors: 'Validation timed out.' }
    const findings = decodeUtf8(result.stdout.capture) + decodeUtf8(result.stderr.capture)
    const ok = result.outcome === 'exited' && result.exitCode === 0
    return { ok, errors: findings.trim() || (result.error ?? '') }
  })
}
