// Reads the result that a runner leaves in a file or on stdout instead of calling `zcl feedback`.
import path from 'node:path'
import { statSync } from 'node:fs'
import { readBoundedText } from '@zee/core/bounded-file'
import { isObject } from '@zee/core/json'
import { maxJsonDepth, isDeeperThan } from '@zee/evidence/json'
import { limits } from '@zee/evidence/limits'
import type { ErrorCode } from '../../codes/codes.ts'
import type { ResultChannel } from '../profile.ts'

export interface MissionResult {
  ok: boolean
  /** Exactly one of `result` and `resultJson` is set. */
  result?: string
  /** JSON text. */
  resultJson?: string
}

export interface ResultProblem {
  code: ErrorCode
  message: string
}

export type ReadResult = { result: MissionResult } | { problem: ResultProblem }

/** Reads the channel; `lines` are the stdout lines that start with the marker, without it. */
export function readMissionResult(
  channel: ResultChannel,
  lines: readonly string[],
  folders: readonly string[],
): ReadResult {
  if (channel.kind === 'stdout_json') return readFromLines(channel, lines)
  const file = folders
    .map((folder) => path.join(folder, channel.path))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true)
  if (file === undefined) return missing(`no ${channel.path} was written`)
  if (statSync(file).size > limits.resultBytes * 2) return invalid(`${channel.path} is too large`)
  return parseResult(readBoundedText(file), channel.minTurn)
}

/** Returns the latest usable line; without one, the problem of the latest line. */
function readFromLines(channel: ResultChannel, lines: readonly string[]): ReadResult {
  const read = lines.map((line) => parseResult(line, channel.minTurn))
  const usable = read.findLast((each) => 'result' in each)
  return usable ?? read.at(-1) ?? missing(`no line of stdout starts with ${channel.marker}`)
}

/** Requires `ok`, a `turn` of at least `minTurn`, and `result`, `resultJson` or any other field. */
export function parseResult(text: string, minTurn: number): ReadResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('the result is not JSON')
  }
  if (!isObject(value)) {
    return invalid('the result is not a JSON object')
  }
  if (isDeeperThan(value, maxJsonDepth)) return invalid('the result nests too deep')
  const { ok, turn, result, resultJson, ...others } = value as Record<string, unknown>
  if (typeof ok !== 'boolean') return invalid('the result has no boolean "ok"')
  if (turn !== undefined && !Number.isSafeInteger(turn))
    return invalid('"turn" is not a whole number')
  if (minTurn > 0 && (typeof turn !== 'number' || turn < minTurn)) {
    const message = `the result has turn ${turn ?? 'unknown'}; at least ${minTurn} is required`
    return { problem: { code: 'ZCL_E_MISSION_RESULT_TURN_TOO_EARLY', message } }
  }
  if (result !== undefined && resultJson !== undefined) {
    return invalid('the result has both "result" and "resultJson"')
  }
  if (typeof result === 'string') return { result: { ok, result } }
  const proof = result ?? resultJson ?? (Object.keys(others).length > 0 ? others : undefined)
  if (proof === undefined) return invalid('the result has no field besides "ok"')
  return { result: { ok, resultJson: JSON.stringify(proof) } }
}

function missing(message: string): ReadResult {
  return { problem: { code: 'ZCL_E_MISSION_RESULT_MISSING', message } }
}

function invalid(message: string): ReadResult {
  return { problem: { code: 'ZCL_E_MISSION_RESULT_INVALID', message } }
}
