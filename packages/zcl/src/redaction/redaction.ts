// The redactor of this environment: built-in rules, values of secret variables, and the rules of
// the project's and the user's configuration. Loads Node built-ins only.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError, reasonOf } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { createRedactor, type ExtraRule, type Redactor } from '@zee/core/redact'
import { zclError } from '../errors/errors.ts'

export interface RedactionContext {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/** Where configuration is looked for, weakest first. */
export function configFiles({ env, cwd }: RedactionContext): string[] {
  const project = path.join(cwd, 'zcl.config.json')
  const home = env.HOME ?? ''
  return home === '' ? [project] : [path.join(home, '.zcl', 'config.json'), project]
}

/** Throws a typed error for a configuration that cannot be used; it is never passed over. */
export function redactorFor(context: RedactionContext): Redactor {
  return createRedactor({ environment: context.env, extraRules: extraRulesFor(context) })
}

/** A project's rule replaces the user's rule with the same id. */
export function extraRulesFor(context: RedactionContext): ExtraRule[] {
  const rules = new Map<unknown, ExtraRule>()
  for (const file of configFiles(context)) {
    const fileRules = readRules(file)
    // Two rules with one id in one file are for the redactor to refuse.
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
    // Mostly there is none, and an error costs a start more than this question.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError('read', file, error)
  }
  let value: unknown
  try {
    // The configuration proper is read with a byte order mark or without one.
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
