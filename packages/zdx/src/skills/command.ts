// `zdx skills list`: the skills that a conversation in this folder offers to the model.
import { projectRoot } from '@zee/agent/project'
import { loadSkills, type Skill } from '@zee/agent/skills'
import type { Call } from '@zee/core/command-line'
import { oneLine } from '@zee/core/errors'
import { fitLines } from '@zee/core/fit-lines'
import { terminalSafeWriter } from '@zee/core/lossless'
import type { Globals } from '../cli/cli.ts'
import { baseFolder, homeFolder, workingFolder } from '../settings/settings.ts'

export async function runSkillsList({
  host,
  globals,
}: Pick<Call, 'host'> & { globals: Globals }): Promise<number> {
  const { skills, warnings } = loadSkills({
    project: projectRoot(workingFolder(host, globals)),
    home: homeFolder(host.env),
    base: baseFolder(host.env, host.cwd),
  })
  const lines = skills.flatMap((skill) =>
    globals.format === 'json' ? [JSON.stringify(skill)] : skillLines(skill, host),
  )
  const isEmpty = lines.length === 0 && globals.format !== 'json'
  await terminalSafeWriter(host.stdout)(
    isEmpty ? 'No skills found.\n' : lines.map((line) => `${line}\n`).join(''),
  )
  for (const warning of warnings) host.stderr.write(`Warning: ${oneLine(warning)}\n`)
  return 0
}

/** One line; on a terminal the description stands below, broken between words. */
function skillLines({ name, path, description }: Skill, { stdout }: Call['host']): string[] {
  const head = `${name}  ${oneLine(path)}`
  if (!stdout.isTTY) return [`${head}  ${description}`]
  return [head, ...fitLines([`  ${description}`], stdout)]
}
