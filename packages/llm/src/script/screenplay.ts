// Parses a screenplay: JSONL, one step per line. Groups steps into responses, which requests consume
// in order. SCRIPT.md documents the format.
import { reasonOf, ZeeError } from '@zee/core/errors'
import { asRecord, type JsonObject } from '../json/json.ts'
import type { StopReason } from '../request/request.ts'
import { readStep, type ErrorStep, type Step } from './step.ts'

export interface Screenplay {
  file: string
  items: Item[]
}

/** A response, or a choice by the user's last text. */
export type Item = Response | Choice

export interface Response {
  type: 'response'
  line: number
  steps: Step[]
  outcome: Outcome
}

/** Plays the first branch whose pattern matches; skipped if none matches. */
interface Choice {
  type: 'choice'
  branches: { pattern: RegExp; items: Item[] }[]
}

export type Outcome =
  | { type: 'end'; stop?: StopReason | undefined }
  | { type: 'cut'; delayMs: number }
  | { type: 'error'; error: ErrorStep }

export function parseScreenplay(text: string, file: string): Screenplay {
  const builder = createBuilder(file)
  for (const [index, content] of text.split('\n').entries()) {
    if (content.trim() !== '') builder.add(parseLine(content, file, index + 1), index + 1)
  }
  return { file, items: builder.items() }
}

function parseLine(content: string, file: string, line: number): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw stepError(file, line, `not JSON: ${reasonOf(error)}`)
  }
  const step = asRecord(value)
  if (step === undefined) throw stepError(file, line, 'a step is a JSON object')
  return step
}

function stepError(file: string, line: number, reason: string): ZeeError {
  return new ZeeError('screenplay', `${file}:${line}: ${reason}`)
}

interface Builder {
  add(step: JsonObject, line: number): void
  items(): Item[]
}

function createBuilder(file: string): Builder {
  const items: Item[] = []
  let open: Response | undefined
  let choice: Choice | undefined

  const current = (line: number): Response =>
    (open ??= { type: 'response', line, steps: [], outcome: { type: 'end' } })
  const close = (outcome?: Outcome): void => {
    if (open === undefined) return
    if (outcome !== undefined) open.outcome = outcome
    items.push(open)
    open = undefined
  }

  function addWhen(step: JsonObject, line: number): void {
    close()
    if (choice === undefined) {
      choice = { type: 'choice', branches: [] }
      items.push(choice)
    }
    choice.branches.push(readBranch(step, file, line))
  }

  function add(source: JsonObject, line: number): void {
    if ('when' in source) return addWhen(source, line)
    choice = undefined
    const step = readStep(source, (reason) => stepError(file, line, reason))
    switch (step.type) {
      case 'end':
        current(line)
        return close({ type: 'end', stop: step.stop })
      case 'cut':
        current(line)
        return close({ type: 'cut', delayMs: step.delayMs })
      case 'error':
        // An HTTP status is a separate response; an error without one interrupts the current one.
        if (step.status !== undefined) close()
        current(line)
        return close({ type: 'error', error: step })
      default:
        if (open !== undefined && startsNewResponse(open, step)) close()
        current(line).steps.push(step)
    }
  }

  return {
    add,
    items() {
      close()
      return items
    },
  }
}

/** Consecutive tool calls end a response; only its usage may follow. */
function startsNewResponse(open: Response, step: Step): boolean {
  const hasCalls = open.steps.some(({ type }) => type === 'tool')
  if (!hasCalls || step.type === 'usage') return false
  return step.type !== 'tool' || open.steps.at(-1)?.type !== 'tool'
}

function readBranch(
  step: JsonObject,
  file: string,
  line: number,
): { pattern: RegExp; items: Item[] } {
  const unknown = Object.keys(step).find((key) => key !== 'when' && key !== 'steps')
  if (unknown !== undefined) throw stepError(file, line, `unknown key '${unknown}' beside 'when'`)
  if (typeof step.when !== 'string')
    throw stepError(file, line, `'when' must be a regular expression`)
  if (!Array.isArray(step.steps))
    throw stepError(file, line, `'when' needs 'steps', a list of steps`)
  const builder = createBuilder(file)
  for (const inner of step.steps) {
    const object = asRecord(inner)
    if (object === undefined) throw stepError(file, line, 'a step is a JSON object')
    builder.add(object, line)
  }
  return { pattern: readPattern(step.when, file, line), items: builder.items() }
}

function readPattern(source: string, file: string, line: number): RegExp {
  try {
    return new RegExp(source, 'i')
  } catch (error) {
    throw stepError(file, line, `not a regular expression: ${reasonOf(error)}`)
  }
}
