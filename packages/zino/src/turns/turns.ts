// Names of turns and of their files. A turn is one message of a user and everything done to answer it.
// daemon, agr and exc each record their part of an unfinished turn in the folder `turns` of the data
// folder: what daemon received and answered, what agr has done, what exc has run.
import {
  existsSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { newRunId } from '@zee/core/ids'
import { readJournalSync } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import type { ZinoConfig } from '../config/config.ts'

export type {
  BlockTag,
  ExecutionFacts,
  RecordedCall,
  RecordedEnd,
  RecordedInference,
  RecordedPrompt,
  RunRecord,
} from './run-records.ts'
export { readRunRecords, RunRecords } from './run-records.ts'

const turnId = /^[A-Za-z0-9][\w-]{0,63}$/
const turnFile = /^([A-Za-z0-9][\w-]{0,63})\.jsonl$/

export function newTurnId(now: Date): string {
  return newRunId(now)
}

/** Ids become file names, so a client may choose only plain ones. */
export function isTurnId(value: unknown): value is string {
  return typeof value === 'string' && turnId.test(value)
}

export function turnsFolder(config: ZinoConfig): string {
  return path.resolve(config.mem.data_dir, 'turns')
}

/** The record of daemon. */
export function turnFileOf(folder: string, turn: string): string {
  return path.join(folder, `${turn}.jsonl`)
}

/** The record of agr. */
export function runFileOf(folder: string, turn: string): string {
  return path.join(folder, `${turn}.run.jsonl`)
}

/** The recorded answers of the model of finished turns, a store of their own for `zino replay`. */
export function answersFolder(config: ZinoConfig): string {
  return path.resolve(config.mem.data_dir, 'answers')
}

/**
 * Moves the record of agr to the recorded answers; returns its new path, if there was one. With a redactor,
 * secrets of the record are replaced first.
 */
export function keepAnswers(
  config: ZinoConfig,
  turn: string,
  redactor: Redactor | undefined,
): string | undefined {
  const from = runFileOf(turnsFolder(config), turn)
  const to = turnFileOf(answersFolder(config), turn)
  if (existsSync(from)) {
    ensureDurableFolder(answersFolder(config), 0o700)
    if (redactor !== undefined) redactLines(from, redactor)
    renameSync(from, to)
  }
  return existsSync(to) ? to : undefined
}

function redactLines(file: string, redactor: Redactor): void {
  const lines: string[] = []
  readJournalSync(file, ({ record }) => {
    lines.push(`${JSON.stringify(redactor.value(record).value)}\n`)
  })
  writeFileSync(`${file}.redacted`, lines.join(''), { mode: 0o600 })
  renameSync(`${file}.redacted`, file)
}

/** The folder of one execution by exc. */
export function executionFolderOf(folder: string, turn: string, call: number): string {
  return path.join(folder, `${turn}.exec-${call}`)
}

export function executionFolders(folder: string, turn: string): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(`${turn}.exec-`))
    .map((name) => path.join(folder, name))
}

/** The ids of all turns that daemon has recorded, in order of time. */
export function recordedTurns(folder: string): string[] {
  return namesIn(folder)
    .flatMap((name) => turnFile.exec(name)?.[1] ?? [])
    .sort()
}

/** Removes every record of a turn, that of daemon last: a restart finds the others by it. */
export function removeTurn(folder: string, turn: string): void {
  removeTurnParts(folder, turn)
  rmSync(turnFileOf(folder, turn), { force: true })
}

/** Removes the records of agr and exc. */
export function removeTurnParts(folder: string, turn: string): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${turn}.`) || name === `${turn}.jsonl`) continue
    rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

/** What must be in no file any more. */
export interface Forgotten {
  turns: ReadonlySet<string>
  texts: readonly string[]
}

/** Removes the records of these turns, and of ended ones that contain one of the texts. */
export function removeTurnsWith(folder: string, { turns, texts }: Forgotten): void {
  const parts = texts.flatMap((text) => escapedForms(text))
  if (parts.length === 0 && turns.size === 0) return
  for (const turn of recordedTurns(folder)) {
    if (turns.has(turn) || hasEndedWith(folder, turn, parts)) removeTurn(folder, turn)
  }
}

/** A running turn keeps its records: agr and exc would do its work again without them. */
function hasEndedWith(folder: string, turn: string, parts: readonly string[]): boolean {
  const files = [turnFileOf(folder, turn), runFileOf(folder, turn)].filter((file) =>
    existsSync(file),
  )
  const content = files.map((file) => readFileSync(file, 'utf8')).join('')
  const hasEnded =
    content.includes('"kind":"answer"') || content.includes('"kind":"failed","reason"')
  return hasEnded && parts.some((part) => content.includes(part))
}

/** Erases recorded answers: those of the given turns, and those that contain one of the texts. */
export async function eraseAnswers(folder: string, { turns, texts }: Forgotten): Promise<void> {
  for (const turn of turns) rmSync(turnFileOf(folder, turn), { force: true })
  const parts = texts.flatMap((text) => escapedForms(text))
  if (parts.length === 0) return
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name)
    const content = await promises.readFile(file, 'utf8').catch(() => '')
    if (parts.some((part) => content.includes(part))) rmSync(file, { force: true })
  }
}

/** A text as a JSON string, and as a JSON string inside a JSON string: the code of a call is one. */
function escapedForms(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return once === '' ? [] : [...new Set([once, twice])]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
