// Members of stored files that have another type than their schema are left out before a report is
// computed. The validator names them; a report must not fail because of them.
import { isObject } from '@zee/core/json'
import type { AttemptFile, FeedbackFile, RunFile } from '../schema/schema.ts'

type Types<File> = { readonly [Key in keyof File]?: (value: unknown) => boolean }

const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText)

const runTypes: Types<RunFile> = { runId: isText, suiteId: isText, createdAt: isText }

const attemptTypes: Types<AttemptFile> = {
  mode: isText,
  startedAt: isText,
  blind: isFlag,
  blindTerms: isTextList,
  shims: isTextList,
  supersedes: isText,
  imported: isText,
  nativeResult: isObject,
}

const feedbackTypes: Types<FeedbackFile> = {
  ok: isFlag,
  result: isText,
  classification: isText,
  classificationBasis: isText,
  decisionTags: isTextList,
  createdAt: isText,
}

export const wellTypedRun = (file: RunFile | undefined) => withoutMistyped(file, runTypes)
export const wellTypedAttempt = (file: AttemptFile | undefined) =>
  withoutMistyped(file, attemptTypes)
export const wellTypedFeedback = (file: FeedbackFile | undefined) =>
  withoutMistyped(file, feedbackTypes)

function withoutMistyped<File extends object>(
  file: File | undefined,
  types: Types<File>,
): File | undefined {
  if (file === undefined) return undefined
  const wrong = Object.keys(types).filter((key) => {
    const value = file[key as keyof File]
    return value !== undefined && types[key as keyof File]?.(value) === false
  })
  if (wrong.length === 0) return file
  const kept = Object.entries(file).filter(([key]) => !wrong.includes(key))
  return Object.fromEntries(kept) as File
}
