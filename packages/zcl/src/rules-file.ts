// Reads the rules of meaning from a file that somebody named: YAML or JSON.
import { readSemanticRules, type SemanticRules } from '@zee/evidence/expect'
import { loadYaml, readText } from './input-files.ts'

export async function readRulesFile(file: string, cwd: string): Promise<SemanticRules> {
  const parse = await loadYaml()
  return readSemanticRules(parse(await readText(file, cwd)), file)
}
