// Classifies file systems by their magic number (`statfs`): inotify reports all changes only on local ones.
import { statfsSync } from 'node:fs'

/** `remote`: other machines can change it without an event. `virtual`: not stored, such as /proc. */
export type FileSystemKind = 'local' | 'remote' | 'virtual'

const localTypes: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010],
  ...[0xca451a4e, 0x858458f6, 0xf15f, 0x3153464a, 0x52654973, 0x4d44, 0x7366746e, 0x2011bab0],
  ...[0x73717368, 0x9660, 0xe0f5e1e2, 0x5346544e, 0x61756673, 0x24051905],
])

const remoteTypes: ReadonlySet<number> = new Set([
  // NFS, SMB, CIFS, FUSE, 9P, AFS, Coda, Ceph, Lustre, GFS2, OCFS2, shared folders of virtual machines.
  ...[0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x65735546, 0x01021997, 0x5346414f, 0x6b414653],
  ...[0x73757245, 0x00c36400, 0x0bd00bd0, 0x01161970, 0x7461636f, 0x786f4256, 0xbacbacbc],
])

export function fileSystemKind(path: string | Buffer): FileSystemKind {
  if (process.platform !== 'linux') return 'remote'
  try {
    return kindOfType(statfsSync(path).type)
  } catch {
    return 'remote'
  }
}

/** The kind of a magic number, which Node returns as a signed one on some systems. */
export function kindOfType(type: number): FileSystemKind {
  const magic = type >>> 0
  if (localTypes.has(magic)) return 'local'
  return remoteTypes.has(magic) ? 'remote' : 'virtual'
}
