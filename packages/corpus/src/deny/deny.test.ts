import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { tree } from '../../test/support/trees.ts'
import { openCorpus } from '../corpus.ts'
import { denyingRule, mayNameDenied } from './deny.ts'

const secrets = { globs: [], secrets: true }

describe('denyingRule', () => {
  it.each([
    ['.env', '.env*'],
    ['a/b/.env.production', '.env*'],
    ['tls/server.pem', '*.pem'],
    ['id_rsa', 'id_rsa*'],
    ['x/id_ed25519.pub', 'id_ed25519*'],
    ['.netrc', '.netrc'],
    ['.npmrc', '.npmrc'],
    ['credentials.json', 'credentials*'],
    ['kubeconfig', 'kubeconfig'],
    ['prod.kubeconfig', 'kubeconfig'],
    ['.kube/config', 'kubeconfig'],
    ['Server.PEM', '*.pem'],
    ['index.pem', '*.pem'],
    ['ID_DSA', 'id_dsa*'],
    ['id_ecdsa-cert', 'id_ecdsa*'],
    ['CREDENTIALS', 'credentials*'],
    ['cluster.KubeConfig', 'kubeconfig'],
    ['kubeconfig.yaml', 'kubeconfig'],
    ['deploy/Kubeconfig.yml', 'kubeconfig'],
    ['kubeconfig.go', undefined],
    ['kustomize.yaml', undefined],
    ['.ENVRC', '.env*'],
    ['src/environment.ts', undefined],
    ['config', undefined],
    ['src/index.ts', undefined],
    ['id.txt', undefined],
    ['create.ts', undefined],
    ['.nvmrc', undefined],
    ['i', undefined],
    ['pemberton.txt', undefined],
  ])('of the default list for %s is %s', (file, rule) => {
    expect(denyingRule(secrets, file)).toBe(rule)
    const names = ['a.txt', path.basename(file), 'z.txt']
    if (rule !== undefined) expect(mayNameDenied(secrets, names.join('\n'))).toBe(true)
  })

  it.each([
    ['private/**', 'private/a/b.txt', true],
    ['private', 'private/a.txt', true],
    ['private', 'x/private/a.txt', true],
    ['*.hidden', 'a/x.hidden', true],
    ['note.txt', 'deep/note.txt', true],
    ['a/note.txt', 'b/a/note.txt', false],
    ['./a/', 'a/x', true],
  ])('of the glob %s for %s', (glob, file, isDenied) => {
    const rules = { globs: [glob], secrets: false }
    expect(denyingRule(rules, file)).toBe(isDenied ? glob : undefined)
  })
})

describe('a corpus with deny rules', () => {
  it('lists denied files, refuses to read them, and skips and counts them in searches', async () => {
    const root = tree({ id_rsa: 'needle\n', 'a.txt': 'needle\n', 'sub/x.pem': 'needle\n' })
    symlinkSync('id_rsa', path.join(root, 'link.txt'))
    const corpus = openCorpus(root, { deny: secrets })
    expect((await corpus.list()).files).toEqual(['a.txt', 'id_rsa', 'link.txt', 'sub/x.pem'])
    for (const file of ['id_rsa', './id_rsa', 'sub/../id_rsa', 'link.txt']) {
      expect(await messageOf(corpus.read({ path: file }))).toBe('denied by rule: id_rsa*')
    }
    const found = await corpus.grep({ pattern: 'needle' })
    expect(found).toMatchObject({ hits: [{ path: 'a.txt' }], skipped_denied: 3 })
    const summary = await corpus.summary()
    expect(summary).toMatchObject({ skipped_denied: 3 })
    expect(summary).not.toHaveProperty('unreadable')
    const { chunks } = await corpus.chunks()
    expect(chunks.flatMap(({ parts }) => parts.map((part) => part.path))).toEqual(['a.txt'])
    await corpus.close()
  })

  it('skips and counts denied files among ignored files and names outside UTF-8', async () => {
    const root = tree({
      ...{ 'a.txt': 'needle\n', 'x.pem': 'needle\n', 'sub/a.txt': 'needle\n' },
      ...{ '.gitignore': '*.log\n', 'b.log': 'needle\n', '\uffff.pem': 'needle\n' },
    })
    const rawName = Buffer.from([...Buffer.from('id_rsa.'), 0xff])
    writeFileSync(Buffer.concat([Buffer.from(`${root}/sub/`), rawName]), 'needle\n')
    const corpus = openCorpus(root, { deny: secrets })
    for (const ignores of [false, true]) {
      const found = await corpus.grep({ pattern: 'needle', respect_gitignore: ignores })
      const paths = found.hits.map((hit) => hit.path)
      expect(paths).toEqual(['a.txt', ...(ignores ? [] : ['b.log']), 'sub/a.txt'])
      expect(found.skipped_denied).toBe(3)
    }
    await corpus.close()
  })
})

describe('an allow-list', () => {
  it('denies and hides every file that no glob of it matches', async () => {
    const root = tree({ 'src/a.ts': 'x\n', 'docs/b.md': 'x\n', 'README.md': 'x\n' })
    const corpus = openCorpus(root, { deny: { globs: [], secrets: true, allow: ['src', '*.md'] } })
    expect((await corpus.list()).files).toEqual(['README.md', 'docs/b.md', 'src/a.ts'])
    await corpus.close()
    const narrow = openCorpus(root, { deny: { globs: [], secrets: true, allow: ['src/**'] } })
    expect((await narrow.list()).files).toEqual(['src/a.ts'])
    expect(await narrow.grep({ pattern: 'x' })).toMatchObject({ hits: [{ path: 'src/a.ts' }] })
    expect((await narrow.summary()).files).toBe(1)
    await expect(narrow.read({ path: 'README.md' })).rejects.toThrow('denied by rule: allow')
    await narrow.close()
  })
})
