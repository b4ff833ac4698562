// `--zcl-feedback`: writes the result of a run as feedback to the attempt in the environment.
import { cutToBytes } from '@zee/core/bounded'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { writeFeedback } from '@zee/evidence/outcome'
import { limits } from '@zee/evidence/limits'

export type WriteFeedback = (ok: boolean, text: string) => Promise<void>

/** Throws a usage error if the environment names no attempt. */
export function feedbackWriter(host: Host): WriteFeedback {
  if (!host.env.ZCL_OUT_DIR) {
    throw usageError(
      '--zcl-feedback needs an attempt in the environment: run zcl attempt start first',
    )
  }
  const context = attemptFromEnvironment(host.env, host.cwd)
  const redactor = createRedactor({ environment: host.env })
  return async (ok, text) => {
    // Redact before cutting: a cut secret would no longer match a rule.
    const result = cutToBytes(redactor.text(text).text, limits.resultBytes).text
    const createdAt = rfc3339(parseRfc3339(host.env.ZCL_NOW ?? '') ?? host.clock.now())
    const request = { ok, isHypothesis: false, decisionTags: [], createdAt }
    try {
      await writeFeedback(context, { ...request, result }, redactor)
    } catch (error) {
      // A suite may require a JSON result.
      if (!isJsonObject(text)) throw error
      await writeFeedback(context, { ...request, resultJson: text }, redactor)
    }
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
