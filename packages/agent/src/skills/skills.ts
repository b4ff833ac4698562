// Skills: folders with a SKILL.md that names and describes them. The system prompt lists them, and the
// model reads the file of a skill when it needs it.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { cutToBytes } from '@zee/core/bounded'
import { leadsOutOf } from '@zee/core/contained-path'
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import { readGuidanceFile, userContainer } from '../context/context.ts'
import { parseFrontMatter } from './front-matter.ts'

export { parseFrontMatter } from './front-matter.ts'

export interface Skill {
  name: string
  /** On one line. */
  description: string
  /** The SKILL.md. */
  path: string
}

export interface SkillPlaces {
  /** The canonical path of the project. */
  project: string
  home: string | undefined
  /** The configuration folder of zdx. */
  base: string
}

export interface LoadedSkills {
  skills: readonly Skill[]
  warnings: readonly string[]
  /** The section for the system prompt; undefined without skills. */
  text: string | undefined
}

const maxListBytes = 2048
const maxSkills = 500

/** Skills of the project come first; of two with the same name the first counts. */
export function loadSkills(places: SkillPlaces): LoadedSkills {
  const skills = new Map<string, Skill>()
  const warnings: string[] = []
  for (const { folder, container } of skillFolders(places)) {
    if (isMissing(folder)) continue
    if (leadsOutOf(container, folder)) {
      warnings.push(brokenSkill(folder, `it is a link that leads out of ${oneLine(container)}`))
      continue
    }
    for (const name of subfolders(folder, warnings)) {
      const skill = readSkill(path.join(folder, name, 'SKILL.md'), container, warnings)
      if (skill !== undefined && !skills.has(skill.name)) skills.set(skill.name, skill)
    }
  }
  const found = [...skills.values()]
  return { skills: found, warnings, text: found.length === 0 ? undefined : promptText(found) }
}

/** Links that lead out of `container` are not followed. */
function skillFolders({ project, home, base }: SkillPlaces) {
  const inProject = ['.agents/skills', '.claude/skills'].map((name) => path.join(project, name))
  return [
    ...inProject.map((folder) => ({ folder, container: project })),
    ...(home === undefined ? [] : [{ folder: path.join(home, '.agents/skills'), container: home }]),
    { folder: path.join(base, 'skills'), container: userContainer(base, home) },
  ]
}

function isMissing(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

function subfolders(folder: string, warnings: string[]): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort()
      .slice(0, maxSkills)
  } catch (error) {
    if (errnoOf(error) !== 'ENOTDIR')
      warnings.push(`Failed to list ${oneLine(folder)}: ${reasonOf(error)}`)
    return []
  }
}

/** Undefined, with a warning, for a broken file; a folder without SKILL.md is no skill. */
function readSkill(file: string, container: string, warnings: string[]): Skill | undefined {
  const read = readGuidanceFile(file, container)
  if (typeof read === 'string') {
    if (read !== 'ENOENT' && read !== 'not_found') warnings.push(brokenSkill(file, read))
    return undefined
  }
  const { values } = parseFrontMatter(read.text) ?? {}
  if (values === undefined) {
    warnings.push(brokenSkill(file, 'it has no front matter'))
    return undefined
  }
  const [name, description] = ['name', 'description'].map((key) => oneLine(values.get(key) ?? ''))
  if (!name || !description) {
    warnings.push(brokenSkill(file, `it has no ${name ? 'description' : 'name'}`))
    return undefined
  }
  return { name, description, path: file }
}

function brokenSkill(file: string, reason: string): string {
  return `Skill ${oneLine(file)} is ignored: ${reason}`
}

/** One line per skill, at most 2 KiB; the last line counts what does not fit. */
function promptText(skills: readonly Skill[]): string {
  const head = '# Skills\n\nBefore a task that matches a skill, read its file.\n'
  const lines: string[] = []
  let bytes = Buffer.byteLength(head)
  for (const { name, description, path: file } of skills) {
    const rest = skills.length - lines.length
    const note = `\n(${rest} more: zdx skills list)`
    const line = `\n- ${name}: ${cutToBytes(description, 300).text} (${file})`
    bytes += Buffer.byteLength(line)
    if (bytes > maxListBytes - (rest > 1 ? Buffer.byteLength(note) : 0)) {
      return `${head}${lines.join('')}${note}`
    }
    lines.push(line)
  }
  return `${head}${lines.join('')}`
}
