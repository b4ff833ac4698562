// Generates transcripts about changed files, run commands and searches.
import { Session, type Transcript } from '../session.fixtures.ts'

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

export function fileTranscripts(): Transcript[] {
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

export function commandTranscripts(): Transcript[] {
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

export function searchTranscripts(): Transcript[] {
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
