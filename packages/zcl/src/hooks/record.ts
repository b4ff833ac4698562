// `zcl hooks record`: appends one trace event for a tool call that an agent reports on standard input. Claude Code,
// Codex and Gemini send the same fields; the plugin of OpenCode uses them, too.
import type { Host } from '@zee/core/exit'
import { isObject, parseObject } from '@zee/core/json'
import { attemptFromEnvironment, namesAttempt } from '@zee/evidence/attempt'
import {
  appendTraceEvent,
  checkTraceWritable,
  findParentId,
  noOutput,
  prepareInput,
  previewCaptureBytes,
  recordingFailure,
  traceEvent,
  type ObservedStream,
} from '@zee/evidence/trace'
import { zclError } from '../errors/errors.ts'
import { readInput } from '../input/input.ts'
import { redactorFor } from '../redaction/redaction.ts'

type Fields = Readonly<Record<string, unknown>>

/** Outside an attempt nothing is recorded. */
export async function recordHook(agent: string, host: Host): Promise<number> {
  if (!namesAttempt(host.env) || host.env.ZCL_HOOKS === 'off') return 0
  const payload = parseObject(await readInput(host))
  if (payload === undefined || typeof payload.tool_name !== 'string') {
    throw zclError('ZCL_E_USAGE', 'standard input holds no hook event with a tool_name')
  }
  const context = attemptFromEnvironment(host.env, host.cwd)
  const redactor = redactorFor(host)
  checkTraceWritable(context.folder)
  const durationMs = Math.max(0, numberIn(payload, 'duration_ms') ?? 0)
  const call = {
    tool: agent,
    op: payload.tool_name,
    startedAt: new Date(host.clock.now().getTime() - durationMs),
    input: prepareInput(payload.tool_input ?? null, redactor),
    ...outcomeOf(payload, durationMs),
    parentId: findParentId(context.folder, host.env),
  }
  try {
    await appendTraceEvent(context.folder, traceEvent(context.identity, call, redactor))
  } catch (error) {
    throw zclError('ZCL_E_IO', recordingFailure(error))
  }
  return 0
}

function outcomeOf(payload: Fields, durationMs: number) {
  const response = payload.tool_response
  const fields = isObject(response) ? response : {}
  const error = payload.error ?? fields.error
  const exitCode =
    numberIn(payload, 'exit_code') ?? numberIn(fields, 'exit_code') ?? numberIn(fields, 'exitCode')
  const hasFailed =
    payload.hook_event_name === 'PostToolUseFailure' ||
    (error !== undefined && error !== null) ||
    fields.is_error === true ||
    (exitCode !== undefined && exitCode !== 0)
  const code = hasFailed ? { code: 'ZCL_E_TOOL_FAILED' } : {}
  const exit = exitCode === undefined ? {} : { exitCode }
  return {
    result: { ok: !hasFailed, ...code, ...exit, durationMs },
    out: streamOf(textOf(fields.stdout ?? fields.llmContent ?? response)),
    err: streamOf(textOf(fields.stderr ?? error)),
  }
}

function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function streamOf(text: string): ObservedStream {
  if (text === '') return noOutput
  const bytes = Buffer.from(text)
  return { bytes: bytes.length, head: bytes.subarray(0, previewCaptureBytes) }
}
