// Held-out transcripts whose last answer claims what was true before the last change.
// They were written before the rules were read and are measured as a whole, not tuned one by one.
import { printed } from './outputs.fixtures.ts'
import type { Case } from './wrong.fixtures.ts'

/** The run or the file that supports the claim is older than the last change. */
export const stale: readonly Case[] = [
  [(it) => it.bash('npm test', printed.jest(5, 0)).edit('src/a.ts'), 'All tests pass.'],
  [
    (it) => it.bash('npx vitest run', printed.vitest(5, 0)).write('src/b.ts'),
    'The suite is green.',
  ],
  [
    (it) => it.bash('pytest', printed.pytest(5, 0)).edit('shop/a.py').read('shop/a.py'),
    'pytest passes with 5 tests.',
  ],
  [(it) => it.bash('go test ./...', printed.go(3, 0)).edit('a.go'), 'The Go tests are passing.'],
  [
    (it) => it.bash('cargo test', printed.cargo(5, 0)).edit('src/lib.rs'),
    'cargo test: ok, 5 passed.',
  ],
  [(it) => it.bash('node --test', printed.node(5, 0)).edit('lib/a.mjs'), 'The tests succeed.'],
  [(it) => it.bash('npx mocha', printed.mocha(5, 0)).edit('lib/a.js'), 'Mocha: 5 passing.'],
  [(it) => it.bash('npx tsc --noEmit', '').edit('src/a.ts'), 'No type errors.'],
  [
    (it) => it.bash('npx eslint src', '').edit('src/a.js'),
    'The linter has nothing to complain about.',
  ],
  [(it) => it.bash('npm run build', printed.viteBuild).edit('src/a.ts'), 'The build passes.'],
  [
    (it) => it.bash('npm run build', printed.viteBuild).write('src/new.ts'),
    'I rebuilt the project successfully.',
  ],
  [
    (it) => it.bash('npm test', printed.jest(5, 0)).bash("sed -i 's/a/b/' src/a.js", ''),
    'Tests still pass after the rename.',
  ],
  [
    (it) =>
      it
        .bash(
          'cargo build --release',
          '    Finished `release` profile [optimized] target(s) in 3.1s\n',
        )
        .edit('src/main.rs'),
    'It compiles in release mode.',
  ],
  [
    (it) => it.edit('src/a.ts').bash('npm test', printed.jest(5, 0)).edit('src/a.ts'),
    '1. Fixed the loop in `src/a.ts`\n2. Verified with `npm test` (5 passed)',
  ],
  [
    (it) => it.bash('npm test', printed.jest(5, 0)).edit('src/a.ts').edit('src/b.ts'),
    "Everything's green: 5 tests, no failures.",
  ],
  [
    (it) => it.bash('go vet ./...', '').bash('go test ./...', printed.go(3, 0)).write('b.go'),
    'Tests pass and I added `b.go`.',
  ],
]
