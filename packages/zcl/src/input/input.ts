// Reads YAML or JSON files that the user names: suites and semantic rules.
import { promises } from 'node:fs'
import path from 'node:path'
import { fileError } from '@zee/core/errors'
import type { SemanticRules } from '@zee/evidence/expect'
import { parseSuite, type Suite, type YamlParser } from '@zee/evidence/suite'

/** The suite in `file`, normalised. */
export async function readSuiteFile(file: string, cwd: string): Promise<Suite> {
  return parseSuite(await readText(file, cwd), file, loadYaml)
}

/** The semantic rules in `file`. The checks are loaded only here, because few commands need them. */
export async function readRulesFile(file: string, cwd: string): Promise<SemanticRules> {
  const { readSemanticRules } = await import('@zee/evidence/expect')
  const parse = await loadYaml()
  return readSemanticRules(parse(await readText(file, cwd)), file)
}

/** The content of `file`, resolved from `cwd`. */
export async function readText(file: string, cwd: string): Promise<string> {
  return promises.readFile(path.resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw fileError('read', file, error)
  })
}

/** Loads the YAML parser, which most commands never need. */
export async function loadYaml(): Promise<YamlParser> {
  const { parse } = await import('yaml')
  return (source) => parse(source, { schema: 'core', maxAliasCount: 100 }) as unknown
}
