// What an isolated attempt sees of the machine: the system's programs, the programs that it needs, and
// its own folders. Everything else does not exist for it.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Launcher } from '../../programs/programs.ts'

export interface Mount {
  /** The same path inside and outside. */
  path: string
  isWritable: boolean
  isFile: boolean
}

export interface View {
  mounts: Mount[]
  /** Links of the root folder, such as /bin: path and target. */
  links: [string, string][]
}

export interface ViewRequest {
  /** Absolute folders that the attempt may write. */
  writable: readonly string[]
  /** Files and folders that the suite exposes; absolute. */
  expose: readonly string[]
  /** Files that the attempt must not see; absolute. */
  hidden: readonly string[]
  /** The command, resolved. */
  command: readonly string[]
  launcher: Launcher
  env: Readonly<Record<string, string | undefined>>
  /** Folders that must stay invisible as a whole: the output root and the folder of the suite. */
  private: readonly string[]
}

const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
]
const resolverFolders = ['/run/systemd/resolve', '/run/resolvconf']

export function viewOf(request: ViewRequest): View {
  const links: [string, string][] = []
  const readable: string[] = []
  for (const folder of [...systemFolders, ...resolverFolders]) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink() === true) links.push([folder, readlinkSync(folder)])
    else if (stats !== undefined) readable.push(folder)
  }
  readable.push(...programFolders(request), ...request.expose, ...runnerFiles(request))
  const writable = request.writable.map((folder) => realpathSync(folder))
  const mounts = [...new Set(readable)]
    .filter((each) => existsSync(each) && !isCovered(each, readable))
    .map((each) => mountOf(each, false))
  return { mounts: [...mounts, ...writable.map((each) => mountOf(each, true))], links }
}

function mountOf(file: string, isWritable: boolean): Mount {
  return { path: file, isWritable, isFile: statSync(file).isFile() }
}

/** Node, zcl, and the folders of PATH. */
function programFolders({ launcher, env, ...request }: ViewRequest): string[] {
  const node = realpathSync(launcher.node)
  const script = existsSync(launcher.script) ? realpathSync(launcher.script) : launcher.script
  const onPath = (env.PATH ?? '').split(path.delimiter).filter(isExtraFolder)
  const folders = [path.dirname(path.dirname(node)), path.dirname(path.dirname(script)), ...onPath]
  // A folder of PATH that contains private files is not worth them.
  return folders.filter(
    (folder) => ![...request.private, ...request.hidden].some((each) => isWithin(each, folder)),
  )
}

/** An absolute folder that the folders of the system do not contain. */
function isExtraFolder(folder: string): boolean {
  if (!path.isAbsolute(folder) || !existsSync(folder)) return false
  return !systemFolders.some((each) => isWithin(realpathSync(folder), each))
}

/** The files that the command itself names, such as its script. */
function runnerFiles({ command, hidden }: ViewRequest): string[] {
  return command.filter((word) => {
    if (!path.isAbsolute(word)) return false
    const isFile = statSync(word, { throwIfNoEntry: false })?.isFile() === true
    return isFile && !hidden.some((each) => isWithin(realpathSync(word), each))
  })
}

function isCovered(file: string, others: readonly string[]): boolean {
  return others.some((other) => other !== file && isWithin(file, other))
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`)
}
