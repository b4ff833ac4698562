// Finds or makes the folder that the workspaces of a run are copied from. A folder is used in place;
// a git revision and an archive are unpacked once per process.
import { promises, statSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { runGit } from '@zee/core/git'
import { runProcess } from '@zee/core/process'
import type { WorkspaceSource } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'

export interface SourceContext {
  /** The folder of the suite file: relative paths start there. */
  baseFolder: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/** How a source was resolved; a part of the evidence. */
export interface ResolvedSource {
  kind: 'path' | 'git' | 'archive' | 'empty'
  /** As the suite names it. */
  name: string
  /** The full commit id. */
  commit?: string
}

export interface UnpackedSource {
  source: ResolvedSource
  /** Absolute. */
  folder: string
}

/** Throws if the source cannot be unpacked. The network is not used. */
export async function requireSource(spec: WorkspaceSource, context: SourceContext): Promise<void> {
  if (spec.path !== undefined) {
    requireFolder(spec.path, context)
  } else if (spec.archive !== undefined) {
    await listArchive(requireArchive(spec.archive, context), context)
  } else if (spec.git !== undefined) {
    const { repository, rev } = gitSource(spec, context.baseFolder)
    if (path.isAbsolute(repository)) await commitOf(repository, rev, context)
  }
}

/** Unpacks the source into `target`, or returns the folder that it is. */
export async function unpackSource(
  spec: WorkspaceSource,
  target: string,
  context: SourceContext,
): Promise<UnpackedSource> {
  if (spec.path !== undefined) {
    const folder = requireFolder(spec.path, context)
    return { source: { kind: 'path', name: spec.path }, folder: await promises.realpath(folder) }
  }
  ensureFolder(target, 0o700)
  if (spec.git === undefined && spec.archive === undefined) {
    return { source: { kind: 'empty', name: '' }, folder: target }
  }
  if (spec.archive !== undefined) {
    await unpackArchive(requireArchive(spec.archive, context), target, context)
    return { source: { kind: 'archive', name: spec.archive }, folder: target }
  }
  const { repository, rev } = gitSource(spec, context.baseFolder)
  const commit = await unpackRevision(repository, rev, target, context)
  return { source: { kind: 'git', name: spec.git ?? '', commit }, folder: target }
}

function requireFolder(name: string, { baseFolder }: SourceContext): string {
  const folder = path.resolve(baseFolder, name)
  if (!isFolder(folder)) throw workspaceError(`${name} is not a folder`)
  return folder
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}

interface GitSource {
  /** A folder or an address. */
  repository: string
  rev: string
}

/** `repository`, `repository#revision`, or a revision of the repository that holds the suite. */
function gitSource({ git = '', rev }: WorkspaceSource, baseFolder: string): GitSource {
  const hash = git.lastIndexOf('#')
  const name = hash < 0 ? git : git.slice(0, hash)
  const revision = rev ?? (hash < 0 ? 'HEAD' : git.slice(hash + 1))
  if (/^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(name)) return { repository: name, rev: revision }
  const folder = path.resolve(baseFolder, name)
  if (isFolder(folder)) return { repository: folder, rev: revision }
  if (hash >= 0 || rev !== undefined) throw workspaceError(`${name} is not a repository`)
  return { repository: baseFolder, rev: name }
}

/** Writes the files of a revision without its history, which may hold the solution. */
async function unpackRevision(
  repository: string,
  rev: string,
  target: string,
  context: SourceContext,
): Promise<string> {
  const beside = (suffix: string) => path.join(path.dirname(target), path.basename(target) + suffix)
  const isLocal = path.isAbsolute(repository)
  const [clone, tar] = [beside('-clone'), beside('.tar')]
  try {
    if (!isLocal) await cloneRepository(repository, clone, context)
    const folder = isLocal ? repository : clone
    const commit = await commitOf(folder, rev, context)
    await queryGit(folder, ['archive', '--format=tar', `--output=${tar}`, commit], context)
    await runTool('tar', ['-xf', tar, '-C', target], context)
    return commit
  } finally {
    await promises.rm(tar, { force: true })
    await promises.rm(clone, { recursive: true, force: true })
  }
}

async function commitOf(folder: string, rev: string, context: SourceContext): Promise<string> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${rev}^{commit}`]
  return (await queryGit(folder, args, context)).trim()
}

const gitDeadlineMs = 600_000

/** The configuration of the repository executes nothing. */
async function queryGit(
  folder: string,
  args: readonly string[],
  { env, signal }: SourceContext,
): Promise<string> {
  const result = await runGit({ folder, args, env: { ...env }, signal, deadlineMs: gitDeadlineMs })
  if (result.ok) return result.output.toString('utf8')
  throw workspaceError(`git: ${result.reason}`)
}

/** The suite names the address, so that git may use the network. */
async function cloneRepository(
  address: string,
  target: string,
  context: SourceContext,
): Promise<void> {
  const safe = ['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.ext.allow=never']
  const args = [...safe, 'clone', '--quiet', '--no-checkout', '--', address, target]
  await runTool('git', args, context)
}

function requireArchive(name: string, { baseFolder }: SourceContext): string {
  const file = path.resolve(baseFolder, name)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file
  throw workspaceError(`${name} is not a file`)
}

async function unpackArchive(file: string, target: string, context: SourceContext): Promise<void> {
  if (isZip(file)) await runTool('unzip', ['-q', '-o', file, '-d', target], context)
  else await runTool('tar', ['-xf', file, '-C', target], context)
}

/** Reads the whole archive, so that a cut one is found. */
async function listArchive(file: string, context: SourceContext): Promise<void> {
  if (isZip(file)) await runTool('unzip', ['-l', file], context)
  else await runTool('tar', ['-tf', file], context)
}

function isZip(file: string): boolean {
  return /\.zip$/i.test(file)
}

const maxOutputBytes = 64 * 1024

async function runTool(
  command: string,
  args: readonly string[],
  { env, signal }: SourceContext,
): Promise<string> {
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: undefined }
  const ran = await runProcess({
    command,
    args,
    env: { ...env, ...quiet },
    captureBytes: maxOutputBytes,
    signal,
  })
  if (ran.outcome === 'exited' && ran.exitCode === 0) return ran.stdout.text()
  const reason = ran.error ?? oneLine(ran.stderr.text().trim()).slice(0, 300)
  throw workspaceError(`${command} failed: ${reason}`)
}

export function workspaceError(message: string): Error {
  return zclError('ZCL_E_WORKSPACE', `the workspace cannot be made: ${message}`)
}
