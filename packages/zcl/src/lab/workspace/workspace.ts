// The workspace of an attempt: its own working folder, copied from the source that the suite names,
// and removed or kept when the attempt ends.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { randomHex } from '@zee/core/ids'
import { workspacesFolder } from '@zee/evidence/layout'
import type { WorkspaceSource } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import { workspaceChanges, type WorkspaceChanges } from './changes.ts'
import type { TreeCopy } from './copy-tree.ts'
import { leaseFolder, sweepLeasedFolders, type LeasedFolder } from './leased-folder.ts'
import { unpackSource, workspaceError } from './source.ts'
import type { ResolvedSource, SourceContext, UnpackedSource } from './source.ts'
import { copyTree } from './tree-work.ts'

export { leaseFolder } from './leased-folder.ts'
export { requireSource } from './source.ts'
export { startDiskGuard, type DiskGuard } from './disk-guard.ts'
export type { TreeCopy } from './copy-tree.ts'
export { restoreFolder } from './restore-folder.ts'
export { copyTree, removeTree } from './tree-work.ts'
export type { WorkspaceChanges } from './changes.ts'

/** The name of a kept workspace in the folder of its attempt. */
export const keptWorkspaceName = 'workspace'

export interface Workspace {
  /** Absolute. The runner starts here. */
  path: string
  source: ResolvedSource
  copied: TreeCopy
  /** What the workspace may hold, in bytes. */
  maxBytes: number
  changes(): Promise<WorkspaceChanges>
  /** Removes it, or keeps it in the folder of the attempt; returns whether it was kept. */
  close(hasPassed: boolean): Promise<boolean>
}

export interface WorkspaceRequest {
  spec: WorkspaceSource
  attemptId: string
  attemptFolder: string
  /** Files that the agent must not see, absolute and without links. */
  hidden: readonly string[]
  signal: AbortSignal
}

const defaultGrowthBytes = 2 ** 30

export interface WorkspacesContext extends Omit<SourceContext, 'signal'> {
  /** Files that no workspace of the run may hold, such as the suite with its expected answers. */
  hidden?: readonly string[]
}

/** The sources of one run in this process. Each is unpacked once. */
export class Workspaces {
  readonly #parent: string
  readonly #runId: string
  readonly #context: WorkspacesContext
  /** The output root may lie in the source; a copy of it would contain itself. */
  readonly #hidden: readonly string[]
  readonly #sources = new Map<string, Promise<UnpackedSource>>()
  readonly #fingerprints = new Map<string, string>()
  #unpacked: Promise<LeasedFolder> | undefined
  #count = 0

  constructor(outRoot: string, runId: string, context: WorkspacesContext) {
    this.#parent = workspacesFolder(outRoot)
    this.#runId = runId
    this.#context = context
    this.#hidden = [outRoot, ...(context.hidden ?? [])]
  }

  async open(request: WorkspaceRequest): Promise<Workspace> {
    const { spec, attemptId, attemptFolder, hidden, signal } = request
    const unpacked = await this.#source(spec, signal)
    const leased = await leaseFolder(this.#parent, `${this.#runId}.${attemptId}`)
    try {
      const excluded = [...hidden, ...this.#hidden.map(realPath)]
      const copied = await copyTree(unpacked.folder, leased.path, { excluded })
      this.requireUnchanged(
        unpacked.folder,
        copied.sourceFingerprint,
        'the source of the workspace',
      )
      return {
        path: leased.path,
        source: unpacked.source,
        copied,
        maxBytes: spec.maxBytes ?? copied.bytes + defaultGrowthBytes,
        changes: () => workspaceChanges(unpacked.folder, leased.path, copied),
        close: async (hasPassed) => {
          const isKept = isRetained(spec.retain ?? 'never', hasPassed)
          await leased.close(isKept ? path.join(attemptFolder, keptWorkspaceName) : undefined)
          return isKept
        },
      }
    } catch (error) {
      await leased.close()
      if (error instanceof Error && 'syscall' in error) throw workspaceError(error.message)
      throw error
    }
  }

  /** Removes what was unpacked. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sources.values())
    await (await this.#unpacked)?.close()
  }

  #source(spec: WorkspaceSource, signal: AbortSignal): Promise<UnpackedSource> {
    const key = JSON.stringify([spec.path, spec.git, spec.rev, spec.archive])
    const known = this.#sources.get(key)
    if (known !== undefined) return known
    const made = this.#unpack(spec, signal)
    this.#sources.set(key, made)
    return made
  }

  async #unpack(spec: WorkspaceSource, signal: AbortSignal): Promise<UnpackedSource> {
    if (spec.path !== undefined) return unpackSource(spec, '', { ...this.#context, signal })
    this.#unpacked ??= leaseFolder(this.#parent, `source.${randomHex(6)}`)
    const target = path.join((await this.#unpacked).path, String(this.#count++))
    return unpackSource(spec, target, { ...this.#context, signal })
  }

  /** An agent without isolation could write into the source, and so into what later attempts get. */
  requireUnchanged(source: string, fingerprint: string, what: string): void {
    const first = this.#fingerprints.get(source) ?? fingerprint
    this.#fingerprints.set(source, first)
    if (first === fingerprint) return
    throw zclError('ZCL_E_WORKSPACE_CHANGED', `${what} changed during the run`)
  }
}

/** The path itself if it does not exist. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function isRetained(retain: NonNullable<WorkspaceSource['retain']>, hasPassed: boolean): boolean {
  return retain === 'always' || (retain === 'on_failure' && !hasPassed)
}

/** Removes the workspaces that killed workers left below the output root. */
export function sweepWorkspaces(outRoot: string): Promise<void> {
  return sweepLeasedFolders(workspacesFolder(outRoot))
}
