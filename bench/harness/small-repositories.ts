// Many small git repositories with real text: folders of source code below some roots, one repository for each.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export interface SmallRepository {
  name: string
  folder: string
}

const maxFiles = 60
const maxFileBytes = 200_000
const minFiles = 3

/** Up to `count` repositories below `target`, from folders of each source in turn, in path order. */
export function smallRepositories(
  sources: readonly string[],
  target: string,
  count: number,
): SmallRepository[] {
  const made: SmallRepository[] = []
  const walks = sources.map((source) => ({
    source: path.basename(source),
    folders: foldersBelow(source),
  }))
  for (let walk = walks.shift(); walk !== undefined && made.length < count; walk = walks.shift()) {
    const next = walk.folders.next()
    if (next.done === true) continue
    walks.push(walk)
    const files = filesIn(next.value)
    if (files.length < minFiles) continue
    const name = `${walk.source}/r${made.length}`
    const repository = path.join(target, name)
    mkdirSync(repository, { recursive: true })
    importFiles(repository, next.value, files)
    made.push({ name, folder: repository })
  }
  return made
}

function* foldersBelow(folder: string): Generator<string> {
  yield folder
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) {
      yield* foldersBelow(path.join(folder, entry.name))
    }
  }
}

/** The files of a folder itself; those of its folders are in other repositories. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
  const isSmall = (name: string): boolean => statSync(path.join(folder, name)).size <= maxFileBytes
  return names.filter(isSmall).toSorted().slice(0, maxFiles)
}

/** One commit by `git fast-import`, which needs no work tree. */
function importFiles(repository: string, folder: string, files: readonly string[]): void {
  const parts: (string | Buffer)[] = [
    'commit refs/heads/main\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 5\nfiles\n',
  ]
  for (const name of files) {
    const content = readFileSync(path.join(folder, name))
    parts.push(`M 100644 inline ${JSON.stringify(name)}\ndata ${content.length}\n`, content, '\n')
  }
  git(repository, ['init', '-q', '--bare', '-b', 'main', '.'])
  git(repository, ['fast-import', '--quiet'], Buffer.concat(parts.map((part) => Buffer.from(part))))
}

function git(folder: string, args: readonly string[], input?: Buffer): void {
  const { status, stderr } = spawnSync('git', args, { cwd: folder, input })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.toString()}`)
}
