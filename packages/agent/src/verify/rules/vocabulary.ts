// The words of claims. `{name}` in a phrase of a rule stands for one of these lists.
import type { WordLists } from '../wording/wording.ts'

export const vocabulary: WordLists = {
  /** Success, as a verb, an adjective or a mark. */
  good: [
    ...['pass(es|ed|ing)?', 'succe(ed|eds|eded|eding|ss|ssful|ssfully)', 'works? (fine|again|now)'],
    ...['green', 'clean(ly)?', 'ok', '✅', '✓', '✔'],
    '{be} ?(all )?(green|clean|fine|ok|okay|successful|happy|good|healthy)',
    // `finishes without errors`, `runs with no problems`.
    '(without( any| a single| a)?|with (no|zero|0)) {fault}',
    '(exit(s|ed)?|return(s|ed)?|with exit)( with)? ((code|status) )?(0|zero)',
  ],
  be: [
    ...['is', 'are', 'were', 'was', 'runs?', 'ran', 'all', 'now', 'still', 'stays?', 'remains?'],
    ...['came back', 'comes back', ':', '='],
  ],
  mark: ['✅', '✓', '✔', '🟢', '👍', '☑'],
  pronoun: [
    "(and |so )?(it|they|both|all|which|this|everything|the latter)('s|'re)?( is| are)?( all| now| both| of them| also| then| still)*",
  ],
  no: ['no', '0', 'zero', 'without( any)?', 'free of( any)?', 'not (a single|one|any)'],
  /** Adjectives between `no` and what is found: `no remaining lint errors`. */
  left: ['new', 'more', 'remaining', 'other', 'further', 'outstanding', 'open', 'leftover'],
  gone: ['gone', 'fixed', 'resolved', 'cleared( up)?', 'eliminated', 'sorted( out)?', 'addressed'],
  mended: [
    'fixed',
    'resolved',
    'repaired',
    'mended',
    'addressed',
    'cleared',
    'eliminated',
    'corrected',
  ],
  been: ['(is|are|was|were|has been|have been|got)( now| all| both)*'],
  /** A tool that has nothing to say. */
  content: ['satisfied', 'content', 'happy', 'silent', 'quiet'],
  says: [
    'reports?',
    'reported',
    'shows?',
    'showed',
    'finds?',
    'found',
    'prints?',
    'printed',
    'gives?',
    'gave',
    'lists?',
  ],
  fault: [
    '(failing|failed|red) tests?',
    'incidents?',
    'errors?',
    'issues?',
    'hitch(es)?',
    'problems?',
    'failures?',
    'complaints?',
    'trouble',
    'regressions?',
  ],
  /** What a claim about tests is about. */
  tests: [
    ...['tests?', 'test[- ]suites?', 'suites?', 'specs?', 'test cases?', 'unit tests?'],
    'assertions',
  ],
  runner: [
    ...['vitest', 'jest', 'pytest', 'mocha', 'karma', 'cypress', 'playwright', 'rspec', 'phpunit'],
    ...['pest', 'nextest', 'ctest', 'junit'],
  ],
  /** What a claim about a build is about. */
  build: ['build', 'compilation', 'compile( step)?', 'bundle', 'bundling'],
  /** Nothing as the value of a label: `type errors: none`. */
  none: ['none', 'nil', '0', 'zero'],
  product: [
    ...['it', 'project', 'code', 'code ?base', 'everything', 'package', 'app', 'application'],
    ...['crate', 'module', 'program', 'repo(sitory)?', 'library', 'workspace', 'solution', 'image'],
    ...['container', 'site', 'docs', 'all'],
  ],
  compiles: ['compiles', 'builds', 'compiled', 'built'],
  typeCheck: ['type[- ]?check(s|ing|er)?', ...['tsc', 'typescript( compiler)?', 'mypy', 'pyright']],
  linter: [
    ...['lint(er|ers|ing)?', 'eslint', 'oxlint', 'ruff', 'clippy', 'flake8', 'pylint', 'rubocop'],
    ...[
      'biome',
      'golangci-lint',
      'go vet',
      'prettier',
      'stylelint',
      'shellcheck',
      'format(ting)? check',
      'style check',
    ],
  ],
  findings: [
    'output',
    'errors?',
    'issues?',
    'problems?',
    'complaints?',
    'warnings?',
    'findings?',
    'violations?',
    'hits?',
  ],
  everything: [
    ...['everything', 'all (the )?checks', 'all of (it|them)', '(full |whole )?ci'],
    'the (whole|full) (pipeline|check)',
  ],
  /** Uses of a name. */
  uses: [
    ...['usages?', 'uses?', 'references?', 'callers?', 'occurrences?', 'call[- ]?sites?'],
    ...['mentions?', 'imports?', 'instances?'],
  ],
}
