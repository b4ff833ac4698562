// The files of a judge: its rubric, and the screenplay of a script model.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { JudgeSpec } from '@zee/evidence/suite'

/** What the agent must neither see nor change. */
export function judgeFiles(spec: JudgeSpec, baseFolder: string): string[] {
  const names = spec.provider === 'script' ? [spec.rubric, spec.model] : [spec.rubric]
  return names.flatMap((name) => fileAt(name, baseFolder) ?? [])
}

/** The rubric, or the content of the file that it names. */
export function rubricText({ rubric }: JudgeSpec, baseFolder: string): string {
  const file = fileAt(rubric, baseFolder)
  return file === undefined ? rubric : readFileSync(file, 'utf8')
}

/** The path without links; undefined if `name` is the name of no file, such as a text. */
export function fileAt(name: string, baseFolder: string): string | undefined {
  try {
    const file = realpathSync(path.resolve(baseFolder, name))
    return statSync(file).isFile() ? file : undefined
  } catch {
    // Also a text that is too long for a name, or that no name can contain.
    return undefined
  }
}
