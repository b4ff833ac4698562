// A release installs from a folder or a URL if every file matches its signed checksum. Otherwise
// install.sh installs nothing.
import { execFile, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'

const programs = ['zdx', 'zeno', 'zino', 'zcl', 'zee']
const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
  version: string
}
const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee release '))
const release = path.join(temporary, 'release')
const keys = generateKeyPairSync('ed25519')
let made = 0

beforeAll(() => {
  const key = path.join(temporary, 'key.pem')
  writeFileSync(key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const script = path.join(repository, 'build/release.mjs')
  execFileSync(process.execPath, [script, '--key', key, '--out', release], { stdio: 'pipe' })
}, 180_000)
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** Copies the release, so that a test can modify it. */
function copyRelease(): string {
  const folder = path.join(temporary, `copy-${(made += 1)}`)
  cpSync(release, folder, { recursive: true })
  return folder
}

async function install(folder: string, ...args: string[]) {
  const prefix = path.join(temporary, `prefix-${(made += 1)}`)
  const env = { HOME: path.join(temporary, 'home') }
  const ran = await runFile('sh', [path.join(folder, 'install.sh'), '--prefix', prefix, ...args], {
    env,
  })
  return { ...ran, prefix }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function flipBit(file: string, offset: number): void {
  const bytes = readFileSync(file)
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

describe('a release', () => {
  it('contains tarballs, a bill of materials, checksums and their signature', () => {
    const names = readdirSync(release)
    expect(names.toSorted()).toEqual(
      [
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'install.sh',
        'release.json',
        'sbom.cdx.json',
        'Dockerfile',
        'zee.rb',
        `zee-${version}.tgz`,
        ...programs.map((name) => `zee-${name}-${version}.tgz`),
      ].toSorted(),
    )
    const listed = readFileSync(path.join(release, 'SHA256SUMS'), 'utf8').trim().split('\n')
    const expected = names.filter((name) => !name.startsWith('SHA256SUMS')).toSorted()
    expect(listed).toEqual(expected.map((name) => `${sha256(path.join(release, name))}  ${name}`))
  })

  it('has checksums that sha256sum accepts', () => {
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release })
  })

  it('has a bill of materials that separates shipped from build dependencies', () => {
    const { bomFormat, specVersion, components } = JSON.parse(
      readFileSync(path.join(release, 'sbom.cdx.json'), 'utf8'),
    ) as {
      bomFormat: string
      specVersion: string
      components: {
        name: string
        version: string
        scope: string
        purl: string
        hashes?: object[]
      }[]
    }
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    const shipped = components.filter(({ scope }) => scope === 'required').map(({ name }) => name)
    expect(shipped).toEqual(expect.arrayContaining(['smol-toml', 'zod']))
    expect(shipped).not.toContain('vitest')
    const refs = components.map(({ purl }) => purl)
    expect(new Set(refs).size).toBe(refs.length)
    expect(components.every(({ hashes }) => hashes !== undefined)).toBe(true)
  })

  it('is not built without a key or into a folder that is not empty', () => {
    const make = (...args: string[]): string => {
      try {
        execFileSync(process.execPath, [path.join(repository, 'build/release.mjs'), ...args], {
          stdio: 'pipe',
          env: { ...process.env, ZEE_RELEASE_KEY: '' },
        })
        return ''
      } catch (error) {
        return String((error as { stderr: Buffer }).stderr)
      }
    }
    expect(make('--out', path.join(temporary, 'none'))).toMatch(/name the private key/)
    const key = path.join(temporary, 'key.pem')
    expect(make('--key', key, '--out', release)).toMatch(/is not empty/)
  })
})

describe('the tarball with all programs', () => {
  it('installs offline into a prefix, and the programs run from an empty home', async () => {
    const prefix = path.join(temporary, 'npm')
    const home = path.join(temporary, 'npm-home')
    mkdirSync(home)
    const env = { HOME: home, NODE_EXTRA_CA_CERTS: undefined, npm_config_cache: `${home}/cache` }
    const tarball = path.join(release, `zee-${version}.tgz`)
    const flags = ['--offline', '--no-audit', '--no-fund', '--prefix', prefix]
    const npm = await runFile('npm', ['install', '--global', ...flags, tarball], { env, cwd: home })
    expect(npm.code, npm.stderr).toBe(0)
    for (const name of programs) {
      const ran = await runFile(path.join(prefix, 'bin', name), ['--version'], { env, cwd: home })
      expect(ran).toMatchObject({ code: 0, stdout: `${name} ${version}\n` })
    }
    const passed = await runFile(path.join(prefix, 'bin/zee'), ['zeno', '--version'], { env })
    expect(passed.stdout).toBe(`zeno ${version}\n`)
    const doctor = await runFile(path.join(prefix, 'bin/zee'), ['doctor', '--json'], {
      env,
      cwd: home,
    })
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true })
    const tour = await runFile(path.join(prefix, 'bin/zee'), ['tour', '--keep'], {
      env,
      cwd: home,
    })
    expect(tour.code, tour.stderr).toBe(0)
    expect(tour.stdout).toMatch(/^zee ui {2}opens the dashboard/m)
    const folder = /^rm -r (\S+)/m.exec(tour.stdout)?.[1] ?? ''
    expect(path.basename(folder)).toMatch(/^zee-tour-/)
    rmSync(folder, { recursive: true, force: true })
  }, 240_000)

  it('runs with npx, offline', async () => {
    const home = path.join(temporary, 'npx-home')
    mkdirSync(home)
    const env = { HOME: home, NODE_EXTRA_CA_CERTS: undefined, npm_config_cache: `${home}/cache` }
    const args = ['--offline', '--yes', `./zee-${version}.tgz`, '--version']
    const { code, stdout, stderr } = await runFile('npx', args, { env, cwd: release })
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `zee ${version}\n` })
  }, 120_000)
})

describe('install.sh', () => {
  it('installs all programs from its own folder, and they run', async () => {
    const { code, stderr, stdout, prefix } = await install(release)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`zee ${version}: zdx, zeno, zino, zcl, zee in ${prefix}`)
    for (const name of programs) {
      const ran = await runFile(path.join(prefix, 'bin', name), ['--version'], { cwd: '/' })
      expect(ran).toMatchObject({ code: 0, stdout: `${name} ${version}\n` })
    }
    const through = await runFile(path.join(prefix, 'bin/zee'), ['zdx', '--version'], { cwd: '/' })
    expect(through).toMatchObject({ code: 0, stdout: `zdx ${version}\n` })
    const checked = await runFile(path.join(prefix, 'bin/zee'), ['doctor'], { cwd: '/' })
    expect(checked.stdout).toContain(`zdx ${version}`)
    expect(readdirSync(path.join(prefix, 'lib/zee')).toSorted()).toEqual(
      programs.map((name) => `${name}-${version}`).toSorted(),
    )
  })

  it('installs single programs, also over an earlier installation', async () => {
    const first = await install(release, 'zcl')
    const again = await runFile('sh', [
      path.join(release, 'install.sh'),
      '--prefix',
      first.prefix,
      'zcl',
    ])
    expect(again.code).toBe(0)
    expect(readdirSync(path.join(first.prefix, 'bin'))).toEqual(['zcl'])
    expect(readdirSync(path.join(first.prefix, 'lib/zee'))).toEqual([`zcl-${version}`])
    expect((await install(release, 'zorro')).stderr).toMatch(/no program 'zorro'/)
  })

  it.each([
    ['99.0.0', false],
    [`${version}-rc.1`, true],
    ['0.0.9', true],
  ])('refuses to replace a newer version (installed: %s)', async (installed, isReplaced) => {
    const prefix = path.join(temporary, `prefix-${(made += 1)}`)
    const link = path.join(prefix, 'bin/zcl')
    const target = `../lib/zee/zcl-${installed}/bin/zcl.cjs`
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(target, link)
    const script = path.join(release, 'install.sh')
    const ran = await runFile('sh', [script, '--prefix', prefix, 'zcl'])
    expect({ ...ran, link: readlinkSync(link) === target }).toMatchObject({
      code: isReplaced ? 0 : 1,
      link: !isReplaced,
    })
    if (isReplaced) return
    expect(ran.stderr).toContain('use --allow-downgrade to install the older version')
    expect(readdirSync(prefix)).toEqual(['bin'])
    const forced = await runFile('sh', [script, '--prefix', prefix, '--allow-downgrade', 'zcl'])
    expect({ code: forced.code, link: readlinkSync(link) }).toEqual({
      code: 0,
      link: `../lib/zee/zcl-${version}/bin/zcl.cjs`,
    })
  })

  it('installs from a URL', async () => {
    const server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1)
      const file = path.join(release, name)
      if (name.includes('/') || !existsSync(file)) return response.writeHead(404).end()
      return response.end(readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const { code, stderr, prefix } = await install(release, '--from', url, 'zeno')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(existsSync(path.join(prefix, 'bin/zeno'))).toBe(true)
      expect((await install(release, '--from', `${url}elsewhere`)).stderr).toMatch(/HTTP 404/)
    } finally {
      server.close()
    }
  })

  it.each([
    [
      'a tarball with one flipped bit',
      (folder: string) => flipBit(path.join(folder, `zee-zcl-${version}.tgz`), 5000),
      /zee-zcl-[\d.]+\.tgz does not have the checksum that was signed/,
    ],
    [
      'a modified tarball with a matching checksum',
      (folder: string) => {
        const tarball = path.join(folder, `zee-zcl-${version}.tgz`)
        const sums = path.join(folder, 'SHA256SUMS')
        const before = sha256(tarball)
        flipBit(tarball, 5000)
        writeFileSync(sums, readFileSync(sums, 'utf8').replace(before, sha256(tarball)))
      },
      /SHA256SUMS is not signed by the key of zee/,
    ],
    [
      'a damaged signature',
      (folder: string) => flipBit(path.join(folder, 'SHA256SUMS.sig'), 3),
      /SHA256SUMS is not signed/,
    ],
    [
      'a signature by another key',
      (folder: string) => {
        const other = generateKeyPairSync('ed25519').privateKey
        const sums = readFileSync(path.join(folder, 'SHA256SUMS'))
        const text = sign(null, sums, other).toString('base64')
        writeFileSync(path.join(folder, 'SHA256SUMS.sig'), text)
      },
      /SHA256SUMS is not signed/,
    ],
    [
      'an empty signature',
      (folder: string) => writeFileSync(path.join(folder, 'SHA256SUMS.sig'), ''),
      /SHA256SUMS is not signed/,
    ],
    [
      'a missing signature',
      (folder: string) => rmSync(path.join(folder, 'SHA256SUMS.sig')),
      /cannot read .*SHA256SUMS\.sig: ENOENT/,
    ],
    [
      'a modified release.json',
      (folder: string) => {
        const file = path.join(folder, 'release.json')
        writeFileSync(file, readFileSync(file, 'utf8').replace('zee-zdx-', '../zee-zdx-'))
      },
      /release\.json does not have the checksum/,
    ],
    [
      'a missing tarball',
      (folder: string) => rmSync(path.join(folder, `zee-zino-${version}.tgz`)),
      /cannot read .*zee-zino-[\d.]+\.tgz: ENOENT/,
    ],
  ])('refuses %s and installs nothing', async (_what, modify, words) => {
    const folder = copyRelease()
    modify(folder)
    const { code, stdout, stderr, prefix } = await install(folder)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^install\.sh: [^\n]+\n$/)
    expect(stderr).toMatch(words)
    expect(existsSync(prefix)).toBe(false)
  })

  it('fails without a public key and without Node', async () => {
    const bare = await runFile('sh', [path.join(repository, 'install.sh'), '--from', release])
    expect(bare.stderr).toMatch(/has no key in it/)
    const empty = path.join(temporary, 'no-programs')
    mkdirSync(empty)
    const { stderr, code } = await new Promise<{ stderr: string; code: unknown }>((resolve) =>
      execFile(
        '/bin/sh',
        [path.join(release, 'install.sh')],
        { env: { PATH: empty } },
        (error, _stdout, stderr) => resolve({ stderr, code: error?.code }),
      ),
    )
    expect({ stderr: stderr.split('\n').at(-2), code }).toEqual({
      stderr: 'install.sh: node is not installed',
      code: 1,
    })
  })
})
