import { describe, expect, it } from 'vitest'
import { isManifest, manifestsOf, scriptChanges, shellChanges } from './shell-changes.ts'
import { splitShell } from './shell.ts'

/** `kind path`, with ` -> new place` for a file that was moved. */
const changesOf = (line: string, hasSucceeded = true) =>
  shellChanges(splitShell(line), hasSucceeded).map(
    ({ kind, path, movedTo }) => `${kind} ${path}${movedTo === undefined ? '' : ` -> ${movedTo}`}`,
  )

describe('shellChanges', () => {
  it.each<[line: string, changes: string[]]>([
    ['ls a', []],
    ['', []],
    ['echo x > a', ['edited a']],
    ['make > a 2> b', ['edited a']],
    ['tee -a a b > c', ['edited c', 'edited a', 'edited b']],
    ['touch a -c > b', ['edited b', 'edited a']],
    ['mkdir -p a/b c > d', ['edited d', 'created a/b', 'created c']],
    ['rm -rf a b > c', ['edited c', 'deleted a', 'deleted b']],
    ['rmdir a', ['deleted a']],
    ['unlink a', ['deleted a']],
    ['del a', ['deleted a']],
    ['trash a', ['deleted a']],
    ['cp a b > c', ['edited c', 'created b']],
    ['cp -r a b c', ['created c']],
    ['cp a', []],
    ['mv a b > c', ['edited c', 'deleted a -> b', 'created b']],
    ['mv -f a', []],
    ['mv src/a lib/', ['deleted src/a -> lib/a', 'created lib/a']],
    [
      'mv x/a b lib',
      ['deleted x/a -> lib/a', 'created lib/a', 'deleted b -> lib/b', 'created lib/b'],
    ],
    // git.
    ['git rm -q a b > c', ['edited c', 'deleted a', 'deleted b']],
    ['git mv a b', ['deleted a -> b', 'created b']],
    ['git checkout a.ts', ['undone a.ts']],
    ['git checkout main', []],
    ['git checkout main -- a/b c.ts word', ['undone a/b', 'undone c.ts']],
    ['git checkout origin/main -- a.ts', ['undone a.ts']],
    ['git restore -q a.ts', ['undone a.ts']],
    ['git restore --staged -- -x.ts', ['undone -x.ts']],
    ['git log a.ts', []],
    ['git', []],
    // In place.
    ["sed -i 's/a/b/' a b > c", ['edited c', 'edited a', 'edited b']],
    ["sed 's/a/b/' a > c", ['edited c']],
    ["sed -Ei.bak 's/a/b/' a", ['edited a']],
    ["sed --in-place=.bak 's/a/b/' a", ['edited a']],
    ['perl -pi -e x a', ['edited x', 'edited a']],
    ['ruby -i a', ['edited a']],
    ['perl a', []],
    // Formatters.
    ['prettier --write a > b', ['edited b', 'edited a']],
    ['prettier a > b', ['edited b']],
    ['eslint --fix a', ['edited a']],
    ['eslint a', []],
    ['black a', ['edited a']],
    ['ruff check --fix a', ['edited check', 'edited a']],
    ['ruff a', []],
    ['gofmt --write a', ['edited a']],
    ['gofmt a', []],
    ['oxfmt a', ['edited a']],
    ['rustfmt --write a', ['edited a']],
    ['rustfmt --writes a', []],
    ['npx prettier --write a', ['edited a']],
    // Installations.
    ['npm install x > log', ['edited log', 'edited package.json', 'edited package-lock.json']],
  ])('of %j', (line, changes) => {
    expect(changesOf(line)).toEqual(changes)
  })

  it.each<[line: string, changes: string[]]>([
    ['rm a', []],
    ['rm a && rm b', ['deleted a']],
    ['rm a; rm b; false', ['deleted a', 'deleted b']],
  ])('of the failed line %j leave out the last command', (line, changes) => {
    expect(changesOf(line, false)).toEqual(changes)
  })
})

describe('manifestsOf', () => {
  it.each<[line: string, files: string[]]>([
    ['npm i x', ['package.json', 'package-lock.json']],
    ['npm install x', ['package.json', 'package-lock.json']],
    ['npm uninstall x', ['package.json', 'package-lock.json']],
    ['npm ci', ['package-lock.json']],
    ['npm i', ['package-lock.json']],
    ['npm run x', []],
    ['yarn add x', ['package.json', 'yarn.lock']],
    ['yarn', ['yarn.lock']],
    ['yarn install', ['yarn.lock']],
    ['yarn test', []],
    ['pnpm add x', ['package.json', 'pnpm-lock.yaml']],
    ['pnpm install', ['pnpm-lock.yaml']],
    ['bun add x', ['package.json', 'bun.lock']],
    ['bun i', ['bun.lock']],
    ['pip install x', ['site-packages']],
    ['pip3 install x', ['site-packages']],
    ['go get x', ['go.mod', 'go.sum']],
    ['go mod tidy', ['go.mod', 'go.sum']],
    ['cargo add x', ['Cargo.toml', 'Cargo.lock']],
    ['bundle install', ['Gemfile', 'Gemfile.lock']],
    ['gem update', ['Gemfile', 'Gemfile.lock']],
    ['composer require x', ['composer.json', 'composer.lock']],
    ['', []],
  ])('of %j', (line, files) => {
    expect(manifestsOf(line.split(' '))).toEqual(files)
  })

  it('are the files of isManifest, in any folder', () => {
    const files = [
      ...['package.json', 'web/package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
      ...['/venv/site-packages', 'go.mod', 'go.sum', 'Cargo.toml', 'Cargo.lock', 'Gemfile'],
      ...['Gemfile.lock', 'composer.json', 'composer.lock'],
    ]
    expect(files.filter((path) => !isManifest(path))).toEqual([])
    expect(['a.ts', 'package.json/a', 'x-package.json', ''].filter(isManifest)).toEqual([])
  })
})

describe('scriptChanges', () => {
  it.each<[line: string, paths: string[]]>([
    [`python -c "open('a', 'w')"`, ['a']],
    [`python3.11 -c "open('a', mode='a')"`, ['a']],
    [`python -c "open('a', 'x').write(open('b').read())"`, ['a']],
    [`python -c "open('a')"`, []],
    [`python -c "open('a', 'r')"`, []],
    [`python -c "Path('a').write_text('x'); Path('b').write_bytes(c)"`, ['a', 'b']],
    [`python -c "Path('a').read_text()"`, []],
    [`node -e "fs.writeFileSync('a', x); fs.appendFile('b', y)"`, ['a', 'b']],
    [`deno eval "writeFile('a', x)"`, ['a']],
    ["bun -e 'writeFile(`a`, x)'", ['a']],
    [`ruby -e "File.write('a', 'x')"`, ['a']],
    [`php -r "file_put_contents('a', 'x');"`, ['a']],
    [`perl -e "open('a', 'w')"`, ['a']],
    [`ls && npx node -e "writeFile('a')"`, ['a']],
    [`echo "writeFile('a')"`, []],
    [`nodemon -e "writeFile('a')"`, []],
  ])('of %j', (line, paths) => {
    expect(scriptChanges(line, splitShell(line))).toEqual(
      paths.map((path) => ({ kind: 'edited', path })),
    )
  })
})
