// The files of the harness in the folder of an attempt. An agent can delete, replace or plant them, also
// as folders or pipes. `restore` puts them in order before the harness reads or writes there.
import { chmodSync, lstatSync, readdirSync, rmSync, writeFileSync, type Stats } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import { keptWorkspaceName, restoreFolder } from '../workspace/workspace.ts'

/** Nothing but the harness writes these, and only after the runner has ended. */
const lateNames: ReadonlySet<string> = new Set([
  labArtifactName.harnessRecord,
  labArtifactName.workspace,
  labArtifactName.workspaceDiff,
  labArtifactName.verification,
  labArtifactName.score,
  labArtifactName.judge,
  keptWorkspaceName,
])

/** Names that must be regular files. */
const fileNames: ReadonlySet<string> = new Set([
  ...Object.values(artifactName),
  ...Object.values(labArtifactName),
])

/** The harness reads and writes its files. */
const ownerMode = 0o600

/** Files that exist before the runner starts and must not change. */
const fixedNames = [artifactName.attempt, path.join('..', '..', artifactName.suite)]

export class HarnessFiles {
  readonly #folder: string
  readonly #inode: number | undefined
  readonly #fixed: ReadonlyMap<string, Buffer | undefined>

  constructor(attemptFolder: string) {
    this.#folder = attemptFolder
    this.#inode = statsOf(attemptFolder)?.ino
    this.#fixed = new Map(fixedNames.map((name) => [name, this.#read(name)]))
  }

  /** The names of fixed files that are not what they were. */
  changed(): string[] {
    return [...this.#fixed]
      .filter(([name, before]) => fixedContent(this.#read(name)) !== fixedContent(before))
      .map(([name]) => path.basename(name))
  }

  /** Removes planted files and writes the fixed ones again; returns the names of both. */
  restore(): string[] {
    const names = this.#restoreFolder()
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name)
      const stats = fileNames.has(name) ? statsOf(file) : undefined
      if (lateNames.has(name) || stats?.isFile() === false) {
        names.push(name)
        rmSync(file, { recursive: true, force: true })
      } else if (stats !== undefined && (stats.mode & ownerMode) !== ownerMode) {
        chmodSync(file, stats.mode | ownerMode)
      }
    }
    const changed = this.changed()
    for (const [name, bytes] of this.#fixed) {
      if (bytes === undefined || !changed.includes(path.basename(name))) continue
      const file = path.join(this.#folder, name)
      rmSync(file, { recursive: true, force: true })
      writeFileSync(file, bytes)
    }
    return [...new Set([...names, ...changed])]
  }

  /** A link or a file in place of the folder would lead the harness elsewhere. */
  #restoreFolder(): string[] {
    const inode = statsOf(this.#folder)?.ino
    restoreFolder(this.#folder)
    return inode === this.#inode ? [] : ['the folder of the attempt']
  }

  #read(name: string): Buffer | undefined {
    return readRegularFile(path.join(this.#folder, name))
  }
}

/** Above any trace: one that grows beyond was not written by zcl alone. */
const maxBytes = 512 << 20

/** Undefined if there is no such regular file, or if it is a link. */
export function readRegularFile(file: string): Buffer | undefined {
  try {
    return readBoundedFile(file, { maxBytes, noFollow: true })
  } catch {
    return undefined
  }
}

function statsOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false })
}

/** The content that must not change; the first call adds its time to attempt.json. */
function fixedContent(bytes: Buffer | undefined): string {
  if (bytes === undefined) return ''
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
    const { timeoutStartedAt: _added, ...fixed } = value
    return JSON.stringify(fixed)
  } catch {
    return bytes.toString('utf8')
  }
}
