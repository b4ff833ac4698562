// Random shell commands that change a project, random projects, and the whole state of a tree.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

export type Random = () => number

function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

/** Names with spaces, quotes, control characters, bytes that are not UTF-8, and a leading hyphen. */
const names = [
  ...['a', 'b c', 'é', '-x', "q'uote", 'd.txt', 'ü"', 'sub', 'deep', 'run.sh', 'nested', 'module'],
  ...['new\nline', 'back\\slash', '[glob]*', '\u{1f600}', '.hidden', "$'\\377raw'"],
]

function randomPath(random: Random): string {
  const depth = 1 + Math.floor(random() * 3)
  return Array.from({ length: depth }, () => quoted(pick(random, names))).join('/')
}

/** A name that starts with `$'` is already an expression of the shell. */
function quoted(name: string): string {
  return name.startsWith("$'") ? `"$(printf '\\377raw')"` : `'${name.replaceAll("'", "'\\''")}'`
}

/** A repository without commits, made without a process of git. */
const makeRepository = (folder: string) =>
  `mkdir -p ${folder}/.git/objects ${folder}/.git/refs && echo 'ref: refs/heads/main' > ${folder}/.git/HEAD && echo in > ${folder}/in`

const git = 'git -c user.name=a -c user.email=a@x -c protocol.file.allow=always'
const gitCommands = [
  `${git} add -A`,
  `${git} add -A; ${git} commit -qm more`,
  `${git} reset -q --hard`,
  `${git} stash -q -u`,
  `${git} checkout -q -f --orphan other; ${git} rm -rfq --cached .`,
  `${git} -C vendor commit -qam inner; ${git} -C module add -A`,
  `${git} submodule deinit -q -f vendor`,
  // The repository itself, with the blobs of clean files.
  'rm -rf ./.git',
  `${git} add -A; ${git} reset -q --hard HEAD~0; ${git} reflog expire --expire=now --all; ${git} prune --expire=now`,
]

/** Shell commands that change the tree, or fail. */
function mutation(random: Random): string {
  const [first, second] = [`./${randomPath(random)}`, `./${randomPath(random)}`]
  const text = Math.floor(random() * 1000)
  return pick(random, [
    `mkdir -p "$(dirname ${first})"; echo ${text} > ${first}`,
    `echo ${text} >> ${first}`,
    `rm -f ${first}`,
    `rm -rf ${first}`,
    `mv ${first} ${second}`,
    `cp -r ${first} ${second}`,
    `mkdir -p ${first}`,
    `rmdir ${first}`,
    `ln -sfn ${second} ${first}`,
    `ln -f ${first} ${second}`,
    `chmod ${pick(random, ['600', '644', '755', '700', '664'])} ${first}`,
    `head -c 3000 /dev/urandom > ${first}`,
    `touch ${first}`,
    `: > ${first}`,
    // A sparse file, and one above the size from which copies are files of their own.
    `truncate -s ${pick(random, ['100K', '2M'])} ${first}`,
    `head -c ${1_100_000 + text} /dev/zero | tr '\\0' ${text % 10} > ${first}`,
    // A file or a link in the place of a folder, and a folder in the place of either.
    `rm -rf ${first}; echo ${text} > ${first}`,
    `rm -rf ${first}; ln -s ${second} ${first}`,
    `rm -rf ${first}; mkdir -p ${first}; echo ${text} > ${first}/in`,
    makeRepository(first),
    `rm -rf ${first}/.git`,
    `echo ${text} > ./nested/in; echo ${text} > ./module/in`,
    `echo ${text} > ./vendor/in; rm -f ./vendor/kept`,
    `rm -rf ./nested ./module`,
    `rm -rf ./vendor`,
    // Commands of git that move the index, HEAD and files. None deletes an ignored file.
    pick(random, gitCommands),
    // Ignored files stay at the top level: undo leaves folders that hold one.
    `echo ${text} > ./x.ignored`,
    `rm -f ./x.ignored; mkdir -p ./y.ignored; echo ${text} > ./y.ignored/in`,
  ])
}

/** One command with several mutations. */
export function mutationList(random: Random, count: number): string {
  return Array.from({ length: count }, () => `{ ${mutation(random)}; }`).join('\n')
}

export function runShell(root: string, command: string): void {
  try {
    execFileSync('sh', ['-c', command], { cwd: root, stdio: 'ignore' })
  } catch {
    // A mutation may fail, for example on a missing path.
  }
}

/** Every path with its kind, mode and contents, without the top level's `.git` and ignored files. */
export function treeOf(root: string, isGit: boolean, below = Buffer.from('')): string[] {
  const folder = Buffer.concat([Buffer.from(`${root}/`), below])
  return readdirSync(folder, { encoding: 'buffer' })
    .sort((one, other) => one.compare(other))
    .flatMap((name) => {
      if (isGit && below.length === 0 && name.equals(Buffer.from('.git'))) return []
      if (isGit && name.toString().endsWith('.ignored')) return []
      const relative = Buffer.concat([below, name])
      const full = Buffer.concat([Buffer.from(`${root}/`), relative])
      const stats = lstatSync(full)
      const mode = (stats.mode & 0o7777).toString(8)
      const shown = relative.toString('latin1')
      if (stats.isSymbolicLink()) {
        return [`${shown} -> ${readlinkSync(full, { encoding: 'buffer' }).toString('latin1')}`]
      }
      if (stats.isDirectory()) {
        const inner = treeOf(root, isGit, Buffer.concat([relative, Buffer.from('/')]))
        return [`${shown}/ ${mode}`, ...inner]
      }
      const hash = createHash('sha256').update(readFileSync(full)).digest('hex')
      return [`${shown} ${mode} ${hash}`]
    })
}

/** A random project; in a repository with a nested one, one without a `.gitmodules`, and a submodule. */
export function makeProject(root: string, random: Random, isGit: boolean): void {
  mkdirSync(root)
  runShell(root, mutationList(random, 12))
  writeFileSync(path.join(root, 'kept'), 'kept\n')
  if (!isGit) return
  const module = `${git} init -q module && echo m > module/in && ${git} -C module add in && ${git} -C module commit -qm m`
  const source = `mkdir .src.ignored && ${git} init -q .src.ignored && echo v > .src.ignored/in && echo k > .src.ignored/kept && ${git} -C .src.ignored add . && ${git} -C .src.ignored commit -qm v`
  runShell(root, 'rm -rf .git nested module vendor; find . -name .git -prune -exec rm -rf {} +')
  runShell(root, `${git} init -q && echo '*.ignored' > .gitignore && ${module}`)
  runShell(root, `${source} && ${git} submodule --quiet add ./.src.ignored vendor`)
  runShell(root, `${git} add -A; ${git} commit -qm start; ${makeRepository('nested')}`)
  runShell(root, mutationList(random, 4))
}
