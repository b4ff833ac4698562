// Reads a suite from a file that somebody named: YAML or JSON, normalised.
import { promises } from 'node:fs'
import path from 'node:path'
import { fileError } from '@zee/core/errors'
import { parseSuite, type Suite, type YamlParser } from '@zee/evidence/suite'

export async function readSuiteFile(file: string, cwd: string): Promise<Suite> {
  return parseSuite(await readText(file, cwd), file, loadYaml)
}

export async function readText(file: string, cwd: string): Promise<string> {
  return promises.readFile(path.resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw fileError('read', file, error)
  })
}

export async function loadYaml(): Promise<YamlParser> {
  const { parse } = await import('yaml')
  return (source) => parse(source, { schema: 'core', maxAliasCount: 100 }) as unknown
}
