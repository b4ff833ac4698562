// Fingerprints a folder of evidence by the names, sizes and times of its files.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { listFolder } from '@zee/evidence/artifact'
import { attemptsFolder } from '@zee/evidence/layout'
import { attemptNames } from '@zee/evidence/runs'

/** The fingerprint of a run with all its attempts, or of one attempt. */
export function evidenceFingerprint(folder: string): string {
  const attempts = attemptNames(folder).map((name) => path.join(attemptsFolder(folder), name))
  return [folder, ...attempts].map(filesOf).join('\n')
}

function filesOf(folder: string): string {
  const names = (listFolder(folder) ?? []).filter((entry) => entry.isFile()).map(({ name }) => name)
  return names
    .filter(isEvidence)
    .map((name) => stateOf(path.join(folder, name)))
    .join(';')
}

/** Ignores pages and temporary files. */
function isEvidence(name: string): boolean {
  return /\.(json|jsonl|txt)$/.test(name) && !name.startsWith('.')
}

function stateOf(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${file}:${stats.size}:${stats.mtimeNs}`
}
