import { once } from 'node:events'
import {
  closeSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sh } from '../process/process.fixtures.ts'
import { folderIn, makeRoot, read, readBelow } from './contained-path.fixtures.ts'
import {
  descriptorPath,
  openContained,
  openFolder,
  openRoot,
  resolveContained,
} from './contained-path.ts'
import { nameText, systemName } from './names.ts'
import { realPath } from './resolve.ts'

describe('the root', () => {
  it('is resolved once, also if its path is a link', () => {
    const { inside, outside } = makeRoot()
    const link = path.join(outside, 'link')
    symlinkSync(inside, link)
    const root = openRoot(link)
    expect(root.path).toBe(inside)
    expect(read(root, 'file.txt')).toBe('file.txt: inside')
    expect(read(root, path.join(link, 'file.txt'))).toBe('file.txt: inside')
  })

  it('that does not exist or is not a folder is refused in one line', () => {
    const { inside } = makeRoot()
    expect(() => openRoot('/no/such/root')).toThrow(
      'cannot use /no/such/root as the root: no such file or folder',
    )
    expect(() => openRoot(path.join(inside, 'file.txt'))).toThrow('it is not a folder')
    expect(() => openRoot('a\0b')).toThrow('NUL')
  })

  it('may be the root of the file system', () => {
    const { inside } = makeRoot()
    const root = openRoot('/')
    const file = path.join(inside, 'file.txt')
    expect(read(root, file)).toBe(`${file.slice(1)}: inside`)
    expect(read(root, file.slice(1))).toBe(`${file.slice(1)}: inside`)
    expect(resolveContained(root, '..')).toMatchObject({ path: '.' })
  })
})

describe('a path', () => {
  it('may be relative to the root or absolute, and is returned relative', () => {
    const { root, inside } = makeRoot()
    expect(read(root, 'file.txt')).toBe('file.txt: inside')
    expect(read(root, './folder/../file.txt')).toBe('file.txt: inside')
    expect(read(root, path.join(inside, 'folder/secret.txt'))).toBe('folder/secret.txt: inside')
    for (const itself of ['.', '', inside, `${inside}/`, 'folder/..']) {
      expect(resolveContained(root, itself)).toMatchObject({ path: '.', errno: undefined })
    }
  })

  it('that leads outside is refused, whether or not it exists', () => {
    const { root, outside } = makeRoot()
    const paths = ['..', '../root2/secret.txt', '../nothing', '/etc/passwd', outside, '/', '../..']
    for (const name of paths) {
      expect(resolveContained(root, name)).toEqual({ failure: 'outside' })
      expect(openContained(root, name)).toEqual({ failure: 'outside' })
      expect(openFolder(root, name)).toEqual({ failure: 'outside' })
    }
  })

  it('of a sibling whose name starts with that of the root is outside', () => {
    const { root, outside } = makeRoot()
    expect(outside.startsWith(root.path)).toBe(true)
    expect(read(root, `${outside}/secret.txt`)).toBe('! outside')
  })

  it('may contain tildes, percent signs and backslashes as ordinary characters', () => {
    const { root, inside } = makeRoot()
    for (const name of ['~', '~root', '%2e%2e', '..\\..', '$HOME', '*', ' ', '-', '...']) {
      writeFileSync(path.join(inside, name), 'inside')
      expect(read(root, name)).toBe(`${name}: inside`)
    }
  })

  it('with a NUL byte is invalid', () => {
    const { root } = makeRoot()
    const folder = folderIn(root, '.')
    for (const name of ['a\0b', '\0', 'file.txt\0', '../\0']) {
      expect(resolveContained(root, name)).toEqual({ failure: 'invalid' })
      expect(read(root, Buffer.from(name))).toBe('! invalid')
      expect(readBelow(folder, name)).toBe('! invalid')
    }
  })

  it('whose end is missing is resolved as far as it exists', () => {
    const { root, inside } = makeRoot()
    symlinkSync('folder', path.join(inside, 'link'))
    const missing = { errno: 'ENOENT' }
    expect(resolveContained(root, 'no/such')).toMatchObject({ path: 'no/such', ...missing })
    expect(resolveContained(root, 'link/no')).toMatchObject({ path: 'folder/no', ...missing })
    expect(resolveContained(root, 'no/../file.txt')).toMatchObject({
      path: 'file.txt',
      errno: undefined,
    })
    expect(resolveContained(root, 'no/deeper/..')).toMatchObject({ path: 'no', ...missing })
    expect(openContained(root, 'no')).toEqual({
      failure: 'not_found',
      errno: 'ENOENT',
    })
  })

  it('that leads through a file is refused as not_a_directory', () => {
    const { root } = makeRoot()
    expect(openContained(root, 'file.txt/x')).toEqual({
      failure: 'not_a_directory',
      errno: 'ENOTDIR',
    })
  })

  it('that is too long fails immediately', () => {
    const { root } = makeRoot()
    for (const name of ['x'.repeat(300), 'a/'.repeat(2_000_000), '../'.repeat(2_000_000)]) {
      const result = openContained(root, name)
      expect(result).toMatchObject({ failure: 'io', errno: 'ENAMETOOLONG' })
    }
  })

  it('whose name is not UTF-8 is accepted as bytes and as text with lone surrogates', () => {
    const { root, inside } = makeRoot()
    const bytes = Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x2e, 0xf0, 0x9f, 0x98, 0x80])
    writeFileSync(Buffer.concat([Buffer.from(`${inside}/`), bytes]), 'inside')
    const text = 'a\udcff\udce2\udc82.\u{1F600}'
    expect(nameText(bytes)).toBe(text)
    const folder = folderIn(root, '.')
    for (const name of [bytes, text]) {
      expect(read(root, name)).toBe(`${text}: inside`)
      expect(readBelow(folder, name)).toBe(`${text}: inside`)
      expect(resolveContained(root, name)).toMatchObject({ path: text, errno: undefined })
    }
    expect(read(root, 'a\ud800')).toBe('! invalid')
  })

  it('converts from bytes to text and back for any name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (array) => {
        const bytes = Buffer.from(array)
        const name = systemName(nameText(bytes))
        if (bytes.includes(0)) return name === undefined
        return name !== undefined && Buffer.from(name as string).equals(bytes)
      }),
    )
  })
})

describe('a link', () => {
  it('to a file inside the root reports its target', () => {
    const { root, inside } = makeRoot()
    symlinkSync('file.txt', path.join(inside, 'link'))
    symlinkSync(path.join(inside, 'link'), path.join(inside, 'folder/link'))
    expect(read(root, 'link')).toBe('file.txt: inside')
    expect(read(root, 'folder/link')).toBe('file.txt: inside')
  })

  it('that leaves the root is refused, also if its target is missing', () => {
    const { root, inside, outside } = makeRoot()
    symlinkSync(path.join(outside, 'secret.txt'), path.join(inside, 'out'))
    symlinkSync('../root2', path.join(inside, 'out-folder'))
    symlinkSync(path.join(outside, 'nothing'), path.join(inside, 'out-dangling'))
    for (const name of ['out', 'out-folder/secret.txt', 'out-dangling', 'out-folder/nothing']) {
      expect(resolveContained(root, name)).toEqual({ failure: 'outside' })
      expect(read(root, name)).toBe('! outside')
    }
  })

  it('that leaves the root and returns is inside', () => {
    const { root, inside, outside } = makeRoot()
    symlinkSync(inside, path.join(outside, 'back'))
    symlinkSync(outside, path.join(inside, 'out'))
    expect(read(root, 'out/back/file.txt')).toBe('file.txt: inside')
  })

  it('that dangles inside the root is not found, with the path of its target', () => {
    const { root, inside } = makeRoot()
    symlinkSync('nothing', path.join(inside, 'dangling'))
    expect(resolveContained(root, 'dangling')).toMatchObject({ path: 'nothing', errno: 'ENOENT' })
    expect(read(root, 'dangling')).toBe('! not_found')
  })

  it('in a cycle is reported as a loop', () => {
    const { root, inside } = makeRoot()
    symlinkSync('b', path.join(inside, 'a'))
    symlinkSync('a', path.join(inside, 'b'))
    symlinkSync('self/x', path.join(inside, 'self'))
    for (const name of ['a', 'b', 'a/x', 'self']) {
      expect(openContained(root, name)).toEqual({
        failure: 'loop',
        errno: 'ELOOP',
      })
    }
  })
})

describe('a FIFO, a socket or a device', () => {
  it('is refused without blocking', async () => {
    const { root, inside } = makeRoot()
    await sh(`mkfifo ${inside}/fifo`)
    const server = createServer().listen(path.join(inside, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    symlinkSync('fifo', path.join(inside, 'link-to-fifo'))
    const folder = folderIn(root, '.')
    for (const name of ['fifo', 'socket', 'link-to-fifo']) {
      expect(read(root, name)).toBe('! not_a_file')
    }
    expect(readBelow(folder, 'fifo')).toBe('! not_a_file')
    expect(readBelow(folder, 'socket')).toBe('! not_a_file')
    expect(read(openRoot('/dev'), 'null')).toBe('! not_a_file')
    expect(openContained(root, 'folder')).toEqual({
      failure: 'is_directory',
      errno: 'EISDIR',
    })
    expect(openContained(root, '.')).toMatchObject({ failure: 'is_directory' })
    expect(openFolder(root, 'file.txt')).toMatchObject({ failure: 'not_a_directory' })
  })
})

describe('a name that is deleted', () => {
  it('is not confused with a name that ends in (deleted)', () => {
    const { root, inside } = makeRoot()
    const odd = 'odd (deleted)'
    writeFileSync(path.join(inside, odd), 'inside')
    expect(read(root, odd)).toBe(`${odd}: inside`)
    linkSync(path.join(inside, odd), path.join(inside, 'second'))
    expect(read(root, 'second')).toBe('second: inside')
  })

  it('leaves an open descriptor readable', () => {
    const { root, inside } = makeRoot()
    const file = openContained(root, 'file.txt')
    unlinkSync(path.join(inside, 'file.txt'))
    if (file.failure !== undefined) throw new Error(file.failure)
    expect(readFileSync(file.fd, 'utf8')).toBe('inside')
    closeSync(file.fd)
    expect(read(root, 'file.txt')).toBe('! not_found')
  })
})

describe('below a verified folder', () => {
  it('files are opened by their plain name', () => {
    const { root } = makeRoot()
    expect(readBelow(folderIn(root, 'folder'), 'secret.txt')).toBe('folder/secret.txt: inside')
    expect(readBelow(folderIn(root, '.'), 'file.txt')).toBe('file.txt: inside')
  })

  it('names that are paths, and links, are refused', () => {
    const { root, inside, outside } = makeRoot()
    symlinkSync(path.join(outside, 'secret.txt'), path.join(inside, 'link'))
    const folder = folderIn(root, '.')
    for (const name of ['', '.', '..', 'folder/secret.txt', '../root2/secret.txt', '/etc/passwd']) {
      expect(readBelow(folder, name)).toBe('! invalid')
    }
    expect(readBelow(folder, 'link')).toBe('! link')
    expect(readBelow(folder, 'nothing')).toBe('! not_found')
    expect(readBelow(folder, 'folder')).toBe('! is_directory')
  })

  it('files are read from the verified folder after its name was replaced by a link', () => {
    const { root, inside, outside } = makeRoot()
    const folder = folderIn(root, 'folder')
    renameSync(path.join(inside, 'folder'), path.join(inside, 'moved'))
    symlinkSync(outside, path.join(inside, 'folder'))
    expect(readBelow(folder, 'secret.txt')).toBe('folder/secret.txt: inside')
    expect(readFileSync(`${String(descriptorPath(folder))}/secret.txt`, 'utf8')).toBe('inside')
  })
})

describe('without /proc', () => {
  it('the same paths are opened and refused', () => {
    const { root, inside, outside } = makeRoot(false)
    symlinkSync('file.txt', path.join(inside, 'link'))
    symlinkSync(outside, path.join(inside, 'out'))
    expect(read(root, 'link')).toBe('file.txt: inside')
    expect(read(root, 'out/secret.txt')).toBe('! outside')
    const folder = folderIn(root, 'folder')
    expect(readBelow(folder, 'secret.txt')).toBe('folder/secret.txt: inside')
    expect(readBelow(folderIn(root, '.'), 'link')).toBe('! link')
    expect(descriptorPath(folder)).toBe(path.join(inside, 'folder'))
    rmSync(path.join(inside, 'folder'), { recursive: true })
    symlinkSync(outside, path.join(inside, 'folder'))
    expect(readBelow(folder, 'secret.txt')).toBe('! outside')
  })
})

it.each([
  [4095, undefined],
  [4096, 'ENAMETOOLONG'],
])('a path of %i bytes has the error %s', (length, errno) => {
  const path = `/${'./'.repeat(2047)}`.padEnd(length, '/')
  expect(path).toHaveLength(length)
  expect(realPath(path)?.errno).toBe(errno)
})
