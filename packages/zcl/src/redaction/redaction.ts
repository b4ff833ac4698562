// Builds the redactor: built-in rules, values of secret variables, and the extra rules of the project's
// and the user's configuration. Loads Node built-ins only, because `zcl run` uses it.
import { statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { errnoOf, fileError, reasonOf } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { createRedactor, type ExtraRule, type Redactor } from '@zee/core/redact'
import { zclError } from '../errors/errors.ts'

export interface RedactionContext {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** The file that `--config` of `zcl run` names; other commands set ZCL_CONFIG instead. */
  config?: string | undefined
}

/** The file that `--config` or ZCL_CONFIG names, else the one in the working folder. */
export function projectConfigFile({ env, cwd, config }: RedactionContext): string {
  const named = config ?? env.ZCL_CONFIG
  return path.resolve(cwd, named === undefined || named === '' ? 'zcl.config.json' : named)
}

/** Paths of the configuration files, lowest precedence first. */
export function configFiles(context: RedactionContext): string[] {
  const project = projectConfigFile(context)
  const home = context.env.HOME ?? ''
  return home === '' ? [project] : [path.join(home, '.zcl', 'config.json'), project]
}

/** The redactor for this environment. Throws on an invalid configuration rather than ignoring it. */
export function redactorFor(context: RedactionContext): Redactor {
  if (context.config !== undefined) requireFile(context.config, context.cwd)
  return createRedactor({ environment: context.env, extraRules: extraRulesFor(context) })
}

function requireFile(file: string, cwd: string): void {
  if (statSync(path.resolve(cwd, file), { throwIfNoEntry: false }) !== undefined) return
  throw zclError('ZCL_E_IO', `--config: there is no file ${file}`)
}

/** All configured rules; a project's rule replaces the user's rule with the same id. */
export function extraRulesFor(context: RedactionContext): ExtraRule[] {
  const rules = new Map<unknown, ExtraRule>()
  for (const file of configFiles(context)) {
    const fileRules = readRules(file)
    // The redactor reports two rules with the same id in one file.
    if (new Set(fileRules.map((rule) => rule?.id)).size < fileRules.length) return fileRules
    for (const rule of fileRules) rules.set(rule?.id, rule)
  }
  return [...rules.values()]
}

function readRules(file: string): ExtraRule[] {
  const config = readConfig(file)
  const redaction = config?.redaction
  if (redaction === undefined) return []
  if (!isObject(redaction)) throw zclError('ZCL_E_CONTRACT', `${file}: redaction is not an object`)
  const { extraRules } = redaction
  if (extraRules === undefined) return []
  if (!Array.isArray(extraRules)) {
    throw zclError('ZCL_E_CONTRACT', `${file}: redaction.extraRules is not a list`)
  }
  return extraRules as ExtraRule[]
}

function readConfig(file: string): Record<string, unknown> | undefined {
  let text: string
  try {
    // Usually no file exists, and `stat` without a throw is cheaper than a failed read.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    text = readBoundedFile(file).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError('read', file, error)
  }
  let value: unknown
  try {
    // The config reader of the other commands accepts a byte order mark too.
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is not JSON: ${reasonOf(error)}`)
  }
  if (!isObject(value)) throw zclError('ZCL_E_INVALID_JSON', `${file} is not an object`)
  if (value.schemaVersion !== undefined && value.schemaVersion !== 1) {
    throw zclError('ZCL_E_SCHEMA_UNSUPPORTED', `${file}: schemaVersion is not 1`)
  }
  return value
}
