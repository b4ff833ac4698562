import { expect, test } from 'vitest'
import { fileSystemKind, kindOfType } from './file-systems.ts'

// Magic numbers of statfs(2), with the names that the kernel gives them.
test.each([
  ...[
    ['ext4', 0xef53],
    ['xfs', 0x58465342],
    ['btrfs', 0x9123683e],
    ['tmpfs', 0x01021994],
  ],
  ...[
    ['overlayfs', 0x794c7630],
    ['zfs', 0x2fc12fc1],
    ['f2fs', 0xf2f52010],
  ],
  ...[
    ['bcachefs', 0xca451a4e],
    ['ramfs', 0x858458f6],
    ['ecryptfs', 0xf15f],
    ['jfs', 0x3153464a],
  ],
  ...[
    ['reiserfs', 0x52654973],
    ['msdos', 0x4d44],
    ['ntfs3', 0x7366746e],
    ['exfat', 0x2011bab0],
  ],
  ...[
    ['squashfs', 0x73717368],
    ['iso9660', 0x9660],
    ['erofs', 0xe0f5e1e2],
  ],
  ...[
    ['ntfs', 0x5346544e],
    ['aufs', 0x61756673],
    ['ubifs', 0x24051905],
  ],
] as [string, number][])('%s is a local file system', (_, type) => {
  expect(kindOfType(type)).toBe('local')
  expect(kindOfType(type | 0)).toBe('local')
})

test.each([
  ...[
    ['nfs', 0x6969],
    ['smb', 0x517b],
    ['smb2', 0xfe534d42],
    ['cifs', 0xff534d42],
  ],
  ...[
    ['fuse', 0x65735546],
    ['9p', 0x01021997],
    ['afs', 0x5346414f],
    ['kafs', 0x6b414653],
  ],
  ...[
    ['coda', 0x73757245],
    ['ceph', 0x00c36400],
    ['lustre', 0x0bd00bd0],
    ['gfs2', 0x01161970],
  ],
  ...[
    ['ocfs2', 0x7461636f],
    ['vboxsf', 0x786f4256],
    ['vmhgfs', 0xbacbacbc],
  ],
] as [string, number][])('%s is a remote file system', (_, type) => {
  expect(kindOfType(type)).toBe('remote')
  expect(kindOfType(type | 0)).toBe('remote')
})

test('other file systems are virtual, and a path that does not exist counts as remote', () => {
  expect([0, 1, 0x9fa0, 0x62656572].map(kindOfType)).toEqual(Array(4).fill('virtual'))
  expect(fileSystemKind('/nowhere/at/all')).toBe('remote')
  expect(fileSystemKind('/proc')).toBe(process.platform === 'linux' ? 'virtual' : 'remote')
})
