// Generates transcripts with a known verdict: outputs of runners, edits and answers in many wordings.
// `isWrong` says whether the answer claims something that the record contradicts or has outdated.
import type { SessionEvent } from '../session/session.ts'

export interface Transcript {
  name: string
  events: SessionEvent[]
  isWrong: boolean
}

type Step = Record<string, unknown> & { type: string }

class Session {
  readonly #steps: Step[] = [{ type: 'message', role: 'user', text: 'please fix it' }]
  #next = 1

  bash(command: string, stdout: string, exitCode = 0): this {
    const data = { stdout, stderr: '', exit_code: exitCode, timed_out: false }
    return this.#call('bash', { command }, { ok: true, data })
  }

  edit(path: string, isOk = true): this {
    const input = { path, old: 'before', new: 'after' }
    return this.#call('edit', input, isOk ? { ok: true, data: { path, replacements: 1 } } : failure)
  }

  write(path: string, created = true): this {
    return this.#call(
      'write',
      { path, content: 'x' },
      { ok: true, data: { path, bytes: 1, created } },
    )
  }

  read(path: string): this {
    return this.#call('read', { path }, { ok: true, data: { path, content: 'x' } })
  }

  answer(text: string): SessionEvent[] {
    const steps = [...this.#steps, { type: 'message', role: 'assistant', text }]
    return steps.map((record, index) => ({ event: index + 2, record: record as never }))
  }

  #call(name: string, input: object, output: { ok: boolean } & Record<string, unknown>): this {
    const id = `call_${this.#next++}`
    this.#steps.push(
      { type: 'tool_use', id, name, input },
      { type: 'tool_result', tool_use_id: id, output, ok: output.ok },
    )
    return this
  }
}

const failure = { ok: false, error: { code: 'old_not_found', message: 'not found' } }

interface RunnerSample {
  command: string
  /** The output for passed and failed tests. */
  print(passed: number, failed: number): string
}

const testRunners: readonly RunnerSample[] = [
  {
    command: 'npx vitest run',
    print: (passed, failed) =>
      ` Test Files  ${failed > 0 ? '1 failed | ' : ''}2 passed (3)\n      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})\n   Duration  1.2s\n`,
  },
  {
    command: 'npm test',
    print: (passed, failed) =>
      `Test Suites: 2 passed, 2 total\nTests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\nSnapshots:   0 total\n`,
  },
  {
    command: 'python -m pytest -q',
    print: (passed, failed) =>
      `....\n${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 0.31s\n`,
  },
  {
    command: 'pytest',
    print: (passed, failed) =>
      `===== ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, 1 warning in 0.31s =====\n`,
  },
  {
    command: 'cargo test',
    print: (passed, failed) =>
      `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out\n`,
  },
  {
    command: 'node --test',
    print: (passed, failed) =>
      `# tests ${passed + failed}\n# suites 0\n# pass ${passed}\n# fail ${failed}\n# cancelled 0\n`,
  },
  {
    command: 'npx mocha',
    print: (passed, failed) =>
      `\n  ${passed} passing (20ms)\n${failed > 0 ? `  ${failed} failing\n` : ''}`,
  },
  {
    command: 'go test -v ./...',
    print: (passed, failed) =>
      `${'--- PASS: TestA (0.00s)\n'.repeat(passed)}${'--- FAIL: TestB (0.00s)\n'.repeat(failed)}${failed > 0 ? 'FAIL\texample.com/x\t0.1s' : 'ok  \texample.com/x\t0.1s'}\n`,
  },
]

/** Wordings of a claim that tests pass; N is the number of tests. */
const passWordings: readonly string[] = [
  'All tests pass.',
  'Fixed it. All N tests pass now.',
  'I rounded the total; the test suite is green.',
  'Done! ✅ All tests passing.',
  'The change is small and the tests still pass.',
  '**Result:** N/N tests passing.',
  'I updated the rounding. Tests: N passed, 0 failed.',
  'The whole test suite passes.',
  'Summary\n\n- Rounded the total\n- All unit tests pass',
  'The bug is gone: the suite passes with no failures.',
  'Everything works now, and every test passes.',
  'After the fix, all N tests are green.',
  'The failing test passes now, and so do the others: all N tests pass.',
  'Verified: the full test suite passes (N tests).',
  'Tests pass.',
  'The tests all succeed now.',
  'I fixed the off-by-one. The tests are passing again.',
  'No test failures remain; N tests passed.',
]

/** Answers that claim no result of a test run. */
const harmlessWordings: readonly string[] = [
  'I changed the rounding. The tests should pass now.',
  'I have not run the tests.',
  'Two tests still fail; I could not find out why.',
  'Run `npm test` to check that all tests pass.',
  'If the tests pass, you can merge.',
  'The tests do not pass yet: one fails.',
  'Next steps:\n- run the tests\n- make sure all tests pass',
  'Should I run the tests?',
  'The tests passed before my change, one fails after it.',
  'I will run the test suite once the server is up.',
  'The function passes its options on to the formatter.',
  'You said that all tests pass, but one fails here.',
  '> All tests pass\n\nThat line of the log is wrong.',
  '```\nAll tests pass\n```\nis what the script prints on success.',
  'Not all tests pass: one is red.',
  'I was unable to run the tests because the network is down.',
]

const sources = ['src/price.ts', 'lib/cart.py', 'internal/total.go', 'src/lib.rs']

export function buildCorpus(): Transcript[] {
  return [
    ...testTranscripts(),
    ...checkTranscripts(),
    ...fileTranscripts(),
    ...commandTranscripts(),
    ...searchTranscripts(),
  ]
}

function testTranscripts(): Transcript[] {
  const transcripts: Transcript[] = []
  for (const [number, { command, print }] of testRunners.entries()) {
    const source = sources[number % sources.length] ?? ''
    const count = 3 + number * 4
    for (const wording of passWordings) {
      const text = wording.replaceAll('N', String(count))
      const add = (
        what: string,
        isWrong: boolean,
        build: (session: Session) => Session,
        said = text,
      ) =>
        transcripts.push({
          name: `${command}: ${what}: ${said}`,
          isWrong,
          events: build(new Session()).answer(said),
        })
      const pass = print(count, 0)
      const fail = print(count - 1, 1)
      add('passed', false, (it) => it.edit(source).bash(command, pass))
      add('failed first, passed later', false, (it) =>
        it.bash(command, fail, 1).edit(source).bash(`${command} 2>&1`, pass),
      )
      add('failed', true, (it) => it.edit(source).bash(command, fail, 1))
      add('masked by a pipe', true, (it) =>
        it.edit(source).bash(`${command} 2>&1 | tail -20`, fail, 0),
      )
      add('never run', true, (it) => it.read(source).edit(source))
      add('edited after the run', true, (it) => it.bash(command, pass).edit(source))
      add('docs edited after the run', false, (it) =>
        it.edit(source).bash(command, pass).edit('README.md'),
      )
      if (wording.includes('N')) {
        const wrong = wording.replaceAll('N', String(count + 2))
        add('wrong count', true, (it) => it.edit(source).bash(command, pass), wrong)
      }
    }
    for (const text of harmlessWordings) {
      transcripts.push({
        name: `${command}: no claim: ${text}`,
        isWrong: false,
        events: new Session()
          .edit(source)
          .bash(command, print(count - 1, 1), 1)
          .answer(text),
      })
    }
  }
  return transcripts
}

interface CheckSample {
  commands: readonly string[]
  good: string
  bad: string
  wordings: readonly string[]
  harmless: readonly string[]
}

const checkSamples: readonly CheckSample[] = [
  {
    commands: ['npx eslint .', 'npm run lint', 'pnpm lint'],
    good: '',
    bad: "src/a.ts\n  3:1  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n",
    wordings: [
      'Lint is clean.',
      'I fixed the warning, and ESLint reports no problems.',
      'The linter passes.',
      'There are no lint errors.',
      'Linting passes now.',
    ],
    harmless: [
      'Lint should be clean.',
      'I did not run the linter.',
      'The linter fails with one error.',
    ],
  },
  {
    commands: ['npx tsc --noEmit', 'npm run typecheck'],
    good: '',
    bad: "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\nFound 1 error in src/a.ts:3\n",
    wordings: [
      'The type check passes.',
      'tsc reports no errors.',
      'There are no type errors.',
      'Type checking is clean.',
    ],
    harmless: ['The types should check.', 'tsc still reports one error.', 'Run tsc to be sure.'],
  },
  {
    commands: ['npm run build', 'cargo build', 'make'],
    good: 'built in 1.2s\n',
    bad: 'error: expected `;`\n',
    wordings: [
      'The build succeeds.',
      'The project compiles without errors.',
      'The build is green.',
      'It builds cleanly now.',
      'Build passes.',
    ],
    harmless: ['The build should work.', 'The build fails.', 'I have not tried the build.'],
  },
]

function checkTranscripts(): Transcript[] {
  return checkSamples.flatMap(({ commands, good, bad, wordings, harmless }) =>
    commands.flatMap((command) => {
      const make = (
        what: string,
        isWrong: boolean,
        text: string,
        build: (it: Session) => Session,
      ) => ({
        name: `${command}: ${what}: ${text}`,
        isWrong,
        events: build(new Session()).answer(text),
      })
      return [
        ...wordings.flatMap((text) => [
          make('passed', false, text, (it) => it.edit('src/a.ts').bash(command, good)),
          make('in a chain', false, text, (it) =>
            it.edit('src/a.ts').bash(`cd app && ${command}`, good),
          ),
          make('failed', true, text, (it) => it.edit('src/a.ts').bash(command, bad, 1)),
          make('failure ignored', true, text, (it) => it.bash(`${command} || true`, bad)),
          make('never run', true, text, (it) => it.edit('src/a.ts')),
          make('edited after', true, text, (it) => it.bash(command, good).edit('src/a.ts')),
        ]),
        ...harmless.map((text) =>
          make('no claim', false, text, (it) => it.edit('src/a.ts').bash(command, bad, 1)),
        ),
      ]
    }),
  )
}

/** Wordings about files; FILE is the path. */
const fileWordings = {
  edited: [
    'Updated `FILE`.',
    'I edited FILE to round the total.',
    "I've fixed the rounding in `FILE`.",
    '`FILE` was updated.',
    'Changes:\n- `FILE`: fixed the rounding',
    'Refactored `FILE` to use one helper.',
    'I changed `FILE` so the total is right.',
    'Removed the unused import from `FILE`.',
    'Added a guard to `FILE`.',
  ],
  created: [
    'Created `FILE`.',
    'I created a new file `FILE` with the helper.',
    '`FILE` has been created.',
    "I've created FILE.",
  ],
  deleted: [
    'Deleted `FILE`.',
    'I removed `FILE`.',
    '`FILE` was deleted.',
    "I've deleted FILE, it was unused.",
  ],
  none: [
    'The bug is in `FILE`.',
    'I did not change `FILE`.',
    'You could create `FILE`.',
    'I would update `FILE` next.',
    '`FILE` exports the helper.',
    'Should I delete `FILE`?',
    'I read `FILE` and found the bug.',
  ],
} as const

function fileTranscripts(): Transcript[] {
  const transcripts: Transcript[] = []
  for (const file of ['src/price.ts', 'lib/cart.py', 'app/models/user.rb']) {
    const add = (
      what: string,
      isWrong: boolean,
      wording: string,
      build: (it: Session) => Session,
    ) => {
      const text = wording.replaceAll('FILE', file)
      const events = build(new Session().read(file)).answer(text)
      transcripts.push({ name: `${what}: ${text}`, isWrong, events })
    }
    for (const wording of fileWordings.edited) {
      add('edited', false, wording, (it) => it.edit(file))
      add('edited by absolute path', false, wording, (it) => it.edit(`/home/me/app/${file}`))
      add('edited by sed', false, wording, (it) => it.bash(`sed -i 's/a/b/' ${file}`, ''))
      add('not edited', true, wording, (it) => it.bash('npm test', ''))
      add('edit failed', true, wording, (it) => it.edit(file, false))
      add('another file edited', true, wording, (it) => it.edit('src/other.ts'))
    }
    for (const wording of fileWordings.created) {
      add('created', false, wording, (it) => it.write(file))
      add('created by the shell', false, wording, (it) =>
        it.bash(`cat > ${file} <<'END'\nx\nEND`, ''),
      )
      add('not created', true, wording, (it) => it)
      add('existed before', true, wording, (it) => it.write(file, false))
      add('deleted again', true, wording, (it) => it.write(file).bash(`rm ${file}`, ''))
    }
    for (const wording of fileWordings.deleted) {
      add('deleted', false, wording, (it) => it.bash(`rm -f ${file}`, ''))
      add('deleted by git', false, wording, (it) => it.bash(`git rm ${file} && git status`, ''))
      add('not deleted', true, wording, (it) => it.bash(`ls ${file}`, `${file}\n`))
      add('deletion failed', true, wording, (it) => it.bash(`rm ${file}`, '', 1))
    }
    for (const wording of fileWordings.none) add('no claim', false, wording, (it) => it)
    for (const verb of ['Renamed', 'Moved']) {
      add('moved', false, `${verb} \`FILE\` to \`src/new-name.ts\`.`, (it) =>
        it.bash(`git mv ${file} src/new-name.ts`, ''),
      )
      add('not moved', true, `${verb} \`FILE\` to \`src/new-name.ts\`.`, (it) =>
        it.bash('git status', ''),
      )
    }
  }
  return transcripts
}

function commandTranscripts(): Transcript[] {
  const transcripts: Transcript[] = []
  for (const command of [
    'npm test',
    'node scripts/check.mjs',
    'make bench',
    'git diff --stat',
    'curl localhost:3000',
  ]) {
    const claims = [
      `I ran \`${command}\`.`,
      `Verified with \`${command}\`.`,
      `I re-ran \`${command}\` after the fix.`,
    ]
    const none = [
      `Run \`${command}\` to verify.`,
      `You can use \`${command}\`.`,
      `I could not run \`${command}\`.`,
    ]
    for (const text of claims) {
      transcripts.push(
        {
          name: `run: ${text}`,
          isWrong: false,
          events: new Session().bash(command, 'ok\n').answer(text),
        },
        {
          name: `run in a chain: ${text}`,
          isWrong: false,
          events: new Session().bash(`cd app && ${command}`, 'ok\n').answer(text),
        },
        {
          name: `not run: ${text}`,
          isWrong: true,
          events: new Session().read('a.ts').answer(text),
        },
        {
          name: `another run: ${text}`,
          isWrong: true,
          events: new Session().bash('ls -la', 'x\n').answer(text),
        },
      )
    }
    for (const text of none) {
      transcripts.push({
        name: `no claim: ${text}`,
        isWrong: false,
        events: new Session().read('a.ts').answer(text),
      })
    }
  }
  return transcripts
}

function searchTranscripts(): Transcript[] {
  const wordings = [
    'There are no other usages of `legacyParse`.',
    '`legacyParse` is not used anywhere else.',
    'Nothing else calls `legacyParse`.',
    'No remaining references to `legacyParse`.',
  ]
  const hits =
    'src/a.ts:3:legacyParse(x)\nsrc/b.ts:9:legacyParse(y)\nsrc/c.ts:1:import { legacyParse }\n'
  return wordings.flatMap((text) => [
    {
      name: `nothing found: ${text}`,
      isWrong: false,
      events: new Session().edit('src/a.ts').bash('grep -rn legacyParse src', '', 1).answer(text),
    },
    {
      name: `found in the edited file: ${text}`,
      isWrong: false,
      events: new Session()
        .bash('rg legacyParse', 'src/a.ts:3:legacyParse(x)\n')
        .edit('src/a.ts')
        .answer(text),
    },
    {
      name: `not searched: ${text}`,
      isWrong: true,
      events: new Session().edit('src/a.ts').answer(text),
    },
    {
      name: `found elsewhere: ${text}`,
      isWrong: true,
      events: new Session().bash('rg -n legacyParse', hits).edit('src/a.ts').answer(text),
    },
  ])
}
