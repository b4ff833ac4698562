// The files of a judge: its rubric, and the screenplay of a script model.
import { readBoundedText } from '@zee/core/bounded-file'
import type { JudgeSpec } from '@zee/evidence/suite'
import { fileAt } from '../../input/input.ts'

/** What the agent must neither see nor change. */
export function judgeFiles(spec: JudgeSpec, baseFolder: string): string[] {
  const names = spec.provider === 'script' ? [spec.rubric, spec.model] : [spec.rubric]
  return names.flatMap((name) => fileAt(name, baseFolder) ?? [])
}

/** The rubric, or the content of the file that it names. */
export function rubricText({ rubric }: JudgeSpec, baseFolder: string): string {
  const file = fileAt(rubric, baseFolder)
  return file === undefined ? rubric : readBoundedText(file)
}
