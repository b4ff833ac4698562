// Paths as raw strings: one character per byte, because file names need not be UTF-8.

/** A path or a part of it whose characters are the bytes of the name. */
export type RawPath = string

export function rawPath(path: string): RawPath {
  return Buffer.from(path, 'utf8').toString('latin1')
}

/** The argument for a system call; ASCII needs no copy. */
export function pathBuffer(raw: RawPath): Buffer | string {
  return isAscii.test(raw) ? raw : Buffer.from(raw, 'latin1')
}

const isAscii = /^[\u0001-\u007f]*$/

/** For display; bytes that are not UTF-8 become replacement characters. */
export function displayPath(raw: RawPath): string {
  return Buffer.from(raw, 'latin1').toString('utf8')
}

export function parentOf(raw: RawPath): RawPath {
  const slash = raw.lastIndexOf('/')
  return slash === -1 ? '' : raw.slice(0, slash)
}

/** `path` below `root`; the root itself for an empty path. */
export function joinRaw(root: RawPath, path: RawPath): RawPath {
  return path === '' ? root : `${root}/${path}`
}

/** The folders that contain the paths, without the top level. */
export function foldersOf(paths: Iterable<RawPath>): Set<RawPath> {
  const folders = new Set<RawPath>()
  let last: RawPath | undefined
  for (const path of paths) {
    let folder = parentOf(path)
    if (folder === last) continue
    last = folder
    while (folder !== '' && !folders.has(folder)) {
      folders.add(folder)
      folder = parentOf(folder)
    }
  }
  return folders
}
