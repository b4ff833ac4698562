// Validates a run or an attempt and reports all findings.
import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { isFolder, isInside, listedFolder, listFolder } from '../artifact/artifact.ts'
import { Findings, Scope, type ValidationFinding } from './findings.ts'
import { artifactName, attemptsFolderName } from '../layout/layout.ts'
import { runSchema, storedShapes } from '../schema/schema.ts'
import { findTarget, type Target } from '../runs/runs.ts'
import { validateAttempt } from './attempt.ts'
import { validateJson } from './json-file.ts'

export interface Validation {
  ok: boolean
  strict: boolean
  target: Target['kind']
  /** The path as the caller wrote it. */
  path: string
  errors: ValidationFinding[]
  warnings: ValidationFinding[]
}

export interface ValidateOptions {
  strict: boolean
  /** Called for each attempt of a run before it is read. */
  onAttempt?: (index: number, total: number) => void
}

/** Validates `folder`; the result names it `shownPath`. */
export function validate(shownPath: string, folder: string, options: ValidateOptions): Validation {
  const findings = new Findings()
  const target = findTarget(folder)
  const scope = new Scope(findings, '', options.strict)
  let strict = options.strict
  if (target.kind === 'unknown') {
    scope.error('ZCL_E_USAGE', 'it is neither an attempt nor a run', '.')
  } else if (target.kind === 'run') {
    validateRun(target, scope, options)
  } else {
    strict = validateLoneAttempt(target, scope)
  }
  const { errors, warnings } = findings
  const kind = target.kind
  return { ok: errors.length === 0, strict, target: kind, path: shownPath, errors, warnings }
}

type RunTarget = Extract<Target, { kind: 'run' }>
type AttemptTarget = Extract<Target, { kind: 'attempt' }>

function validateLoneAttempt(target: AttemptTarget, scope: Scope): boolean {
  const { folder, name, runFolder } = target
  if (target.leavesRun) {
    scope.error('ZCL_E_CONTAINMENT', 'the folder is a link that leaves its run', '.')
    return scope.strict
  }
  const within = runFolder ?? folder
  const run = runFolder === undefined ? {} : { runId: path.basename(runFolder) }
  let strict = scope.strict
  reportUnreadableFolder(scope, '.', () => {
    strict = validateAttempt({ from: listedFolder(folder, within), name, run }, scope).strict
  })
  return strict
}

function validateRun(target: RunTarget, scope: Scope, options: ValidateOptions): void {
  const from = { path: target.folder, within: target.folder }
  const runFile = validateJson(from, artifactName.run, { schema: runSchema }, scope)
  if (!runFile.present) scope.error('ZCL_E_MISSING_ARTIFACT', 'it is not there', artifactName.run)
  const { runId, suiteId } = runFile.value ?? {}
  if (typeof runId === 'string' && runId !== target.name) {
    const message = `runId ${JSON.stringify(runId.slice(0, 80))} is not the folder's name`
    scope.error('ZCL_E_ID_MISMATCH', message, artifactName.run)
  }
  const ids = {
    runId: typeof runId === 'string' ? runId : target.name,
    suiteId: typeof suiteId === 'string' ? suiteId : undefined,
  }
  validateJson(from, artifactName.suite, {}, scope)
  const report = { schema: storedShapes.runReport, ids }
  checkReportPath(validateJson(from, artifactName.runReport, report, scope).value?.path, scope)
  validateOtherJson(target.folder, scope)
  validateAttempts(target.folder, ids, scope, options)
}

/** Our reports hold `.`. An absolute path of another writer is stale after a move, but no pointer. */
function checkReportPath(reportPath: unknown, scope: Scope): void {
  if (typeof reportPath !== 'string') return
  if (/^(?:[\\/]|[A-Za-z]:)/.test(reportPath)) {
    const message =
      'path is absolute, so it is wrong after a move; zcl report writes a relative one'
    return scope.warning('ZCL_W_CONTRACT', message, artifactName.runReport)
  }
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(reportPath)) return
  scope.error('ZCL_E_CONTAINMENT', 'path leaves its folder', artifactName.runReport)
}

const runFiles: ReadonlySet<string> = new Set([
  artifactName.run,
  artifactName.suite,
  artifactName.runReport,
])

function validateOtherJson(folder: string, scope: Scope): void {
  for (const { name } of listFolder(folder) ?? []) {
    if (runFiles.has(name) || name.startsWith('.') || !name.endsWith('.json')) continue
    validateJson({ path: folder, within: folder }, name, {}, scope)
  }
}

function validateAttempts(
  runFolder: string,
  run: { runId: string; suiteId: string | undefined },
  outer: Scope,
  options: ValidateOptions,
): void {
  const folder = path.join(runFolder, attemptsFolderName)
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    if (!outer.strict) return
    return outer.error('ZCL_E_MISSING_ARTIFACT', 'it is not there', attemptsFolderName)
  }
  if (!isContainedFolder(runFolder, folder)) {
    const message = 'it is not a folder, or a link that leaves the run'
    return outer.error('ZCL_E_CONTAINMENT', message, attemptsFolderName)
  }
  const scope = outer.below(attemptsFolderName)
  const entries = listFolder(folder) ?? []
  for (const [index, entry] of entries.entries()) {
    options.onAttempt?.(index, entries.length)
    const attemptPath = path.join(folder, entry.name)
    if (entry.isSymbolicLink() && !isContainedFolder(runFolder, attemptPath)) {
      scope.error(
        'ZCL_E_CONTAINMENT',
        'it is a link that leaves the run or leads nowhere',
        entry.name,
      )
      continue
    }
    if (!entry.isDirectory() && !isFolder(attemptPath)) {
      scope.warning('ZCL_W_CONTRACT', 'it is not the folder of an attempt', entry.name)
      continue
    }
    if (entry.isSymbolicLink()) {
      scope.warning('ZCL_W_CONTRACT', 'it is a link to another folder of the run', entry.name)
    }
    reportUnreadableFolder(scope, entry.name, () => {
      const real = entry.isSymbolicLink() ? realpathSync.native(attemptPath) : attemptPath
      const from = listedFolder(real, runFolder)
      validateAttempt({ from, name: entry.name, run }, scope.below(entry.name))
    })
  }
}

/** Runs a check; a system error becomes a finding, so that the validation continues. */
function reportUnreadableFolder(scope: Scope, name: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    scope.error('ZCL_E_IO', `it cannot be read: ${reasonOf(error)}`, name)
  }
}

function isContainedFolder(root: string, folder: string): boolean {
  return isFolder(folder) && isInside(root, realpathSync.native(folder))
}
