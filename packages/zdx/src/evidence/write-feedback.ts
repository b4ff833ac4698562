// `--zcl-feedback`: says to the attempt of the environment how a run ended.
import { cutToBytes } from '@zee/core/bounded'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { writeFeedback } from '@zee/evidence/outcome'
import { limits } from '@zee/evidence/limits'

export type WriteOutcome = (ok: boolean, text: string) => Promise<void>

/** Refused before anything is done when the environment names no attempt. */
export function outcomeWriter(host: Host): WriteOutcome {
  if (!host.env.ZCL_OUT_DIR) {
    throw usageError('--zcl-feedback needs an attempt in the environment; see zcl attempt start')
  }
  const context = attemptFromEnvironment(host.env, host.cwd)
  const redactor = createRedactor({ environment: host.env })
  return async (ok, text) => {
    // Redacted before it is cut, so that no half of a secret is left.
    const result = cutToBytes(redactor.text(text).text, limits.resultBytes).text
    const createdAt = rfc3339(parseRfc3339(host.env.ZCL_NOW ?? '') ?? host.clock.now())
    const request = { ok, isHypothesis: false, decisionTags: [], createdAt }
    try {
      await writeFeedback(context, { ...request, result }, redactor)
    } catch (error) {
      // A suite may want JSON, which an answer can be.
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
