// `zdx skills list`: the skills that a conversation in this folder offers to the model.
import { projectRoot } from '@zee/agent/project'
import { loadSkills } from '@zee/agent/skills'
import type { Call } from '@zee/core/command-line'
import { oneLine } from '@zee/core/errors'
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
  const lines = skills.map((skill) =>
    globals.format === 'json'
      ? `${JSON.stringify(skill)}\n`
      : `${skill.name}  ${oneLine(skill.path)}  ${skill.description}\n`,
  )
  const isEmpty = lines.length === 0 && globals.format !== 'json'
  await terminalSafeWriter(host.stdout)(isEmpty ? 'No skills found.\n' : lines.join(''))
  for (const warning of warnings) host.stderr.write(`Warning: ${oneLine(warning)}\n`)
  return 0
}
