// Requests on one tree and their complete results, without times.
import { describe, expect, test } from 'vitest'
import { corpusOf, tree } from '../../test/support/trees.ts'
import type { Corpus } from '../corpus.ts'

const files = {
  'README.md': '# Title\ntext\n',
  'src/lock.ts': 'export class Lock {\n  owner = 1\n  renewLock() {}\n}\nfunction lockFile() {}\n',
  'src/deep/lock_test.go': 'package deep\n\nfunc TestLock(t int) { lockFile() }\n',
  'src/data.bin': 'a\0b',
  'empty.txt': '',
  '.hidden/secret.ts': 'function lockFile() {}\n',
  'node_modules/dep/index.js': 'function lockFile() {}\n',
  noext: 'lockFile\n',
}

type Name = keyof Corpus &
  ('list' | 'chunks' | 'summary' | 'symbols' | 'treeSymbols' | 'readMany' | 'references' | 'stat')

/** The result of a request, without the time that it took. */
async function resultOf(corpus: Corpus, name: Name, args: object): Promise<object> {
  const operation = corpus[name] as (args: object) => Promise<object>
  const isTimeless = (key: string): boolean => key !== 'time_ms' && key !== 'fresh'
  const result = JSON.stringify(await operation(args), (key, value: unknown) =>
    isTimeless(key) ? value : undefined,
  )
  return JSON.parse(result) as object
}

/** Results as JSON. */
const rows: [name: Name, args: object, result: string][] = [
  [
    'list',
    {},
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/deep/lock_test.go","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { regex: 'lock' },
    '{"files":["src/deep/lock_test.go","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { regex: '(?=s)src', max: 1 },
    '{"files":["src/data.bin"],"truncated":true,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { regex: '(?=s)src', max: 3 },
    '{"files":["src/data.bin","src/deep/lock_test.go","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { regex: '(?=s)src', max_files: 2 },
    '{"files":["src/data.bin","src/deep/lock_test.go"],"truncated":false,"scan_limited":true,"metrics":{"bytes_read":0,"files_scanned":5}}',
  ],
  [
    'list',
    { regex: '(?=s)src', exclude_globs: '**/*.ts' },
    '{"files":["src/data.bin","src/deep/lock_test.go"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { regex: '(', glob: '*.md' },
    '{"files":["README.md"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { glob: 'src/**', max: 2 },
    '{"files":["src/data.bin","src/deep/lock_test.go"],"truncated":true,"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { max: 6 },
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/deep/lock_test.go","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { max: 5 },
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/deep/lock_test.go"],"truncated":true,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { max: 0 },
    '{"files":[],"truncated":true,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { max_files: 6 },
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/deep/lock_test.go","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":6}}',
  ],
  [
    'list',
    { max_files: 5 },
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/deep/lock_test.go"],"truncated":false,"scan_limited":true,"metrics":{"bytes_read":0,"files_scanned":5}}',
  ],
  [
    'list',
    { max_files: 0 },
    '{"files":[],"truncated":true,"scan_limited":true,"metrics":{"bytes_read":0,"files_scanned":0}}',
  ],
  [
    'list',
    { include_hidden: true, default_excludes: false },
    '{"files":[".hidden/secret.ts","README.md","empty.txt","node_modules/dep/index.js","noext","src/data.bin","src/deep/lock_test.go","src/lock.ts"],"truncated":false,"metrics":{"bytes_read":0,"files_scanned":8}}',
  ],
  [
    'list',
    { exclude_dirs: 'deep' },
    '{"files":["README.md","empty.txt","noext","src/data.bin","src/lock.ts"],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":0,"files_scanned":5}}',
  ],
  [
    'summary',
    {},
    '{"files":6,"bytes":149,"chars":149,"lines":12,"by_extension":{".ts":{"files":1,"bytes":74,"chars":74,"lines":5},".go":{"files":1,"bytes":50,"chars":50,"lines":3},".md":{"files":1,"bytes":13,"chars":13,"lines":2},"":{"files":1,"bytes":9,"chars":9,"lines":1},".bin":{"files":1,"bytes":3,"chars":3,"lines":1},".txt":{"files":1,"bytes":0,"chars":0,"lines":0}},"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6}}',
  ],
  [
    'summary',
    { glob: 'src/**' },
    '{"files":3,"bytes":127,"chars":127,"lines":9,"by_extension":{".ts":{"files":1,"bytes":74,"chars":74,"lines":5},".go":{"files":1,"bytes":50,"chars":50,"lines":3},".bin":{"files":1,"bytes":3,"chars":3,"lines":1}},"metrics":{"bytes_read":127,"files_scanned":3}}',
  ],
  [
    'summary',
    { max_files: 3 },
    '{"files":3,"bytes":22,"chars":22,"lines":3,"by_extension":{".md":{"files":1,"bytes":13,"chars":13,"lines":2},"":{"files":1,"bytes":9,"chars":9,"lines":1},".txt":{"files":1,"bytes":0,"chars":0,"lines":0}},"scan_limited":true,"metrics":{"bytes_read":22,"files_scanned":3}}',
  ],
  [
    'summary',
    { max_files: 6 },
    '{"files":6,"bytes":149,"chars":149,"lines":12,"by_extension":{".ts":{"files":1,"bytes":74,"chars":74,"lines":5},".go":{"files":1,"bytes":50,"chars":50,"lines":3},".md":{"files":1,"bytes":13,"chars":13,"lines":2},"":{"files":1,"bytes":9,"chars":9,"lines":1},".bin":{"files":1,"bytes":3,"chars":3,"lines":1},".txt":{"files":1,"bytes":0,"chars":0,"lines":0}},"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6}}',
  ],
  [
    'chunks',
    {},
    '{"chunks":[{"id":"c50f41a5a660385c8","chars":142,"parts":[{"path":"README.md","start_line":1,"end_line":2,"start_char":0,"end_char":12,"chars":12,"sha256":"sha256:4176cefcdeca924e25a86fdb0f73fd32b044e99948820858fa2f094abe330cbe"},{"path":"noext","start_line":1,"end_line":1,"start_char":0,"end_char":8,"chars":8,"sha256":"sha256:b1c1f317cbf8a1c758a0e724b2efc670ee0f016fc3b48a2bf3629a2543559a30"},{"path":"src/deep/lock_test.go","start_line":1,"end_line":3,"start_char":0,"end_char":49,"chars":49,"sha256":"sha256:e651e32b893e028f8d5f56f2234ab8bcedafb2ea242c5de7263be7e0aeb70082"},{"path":"src/lock.ts","start_line":1,"end_line":5,"start_char":0,"end_char":73,"chars":73,"sha256":"sha256:e98bf1dfcc58feb278d9f7e28359f7ed710885cc8a81b1c8bdbfa43b330a8684"}]}],"truncated":false,"skipped_binary":1,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":146,"files_scanned":6}}',
  ],
  [
    'chunks',
    { max_chars: 20, glob: 'src/*.ts' },
    '{"chunks":[{"id":"c059e9b7b42f8bd28","path":"src/lock.ts","start_line":1,"end_line":1,"start_char":0,"end_char":19,"chars":19,"sha256":"sha256:0e5d5cd6a1451934b5984840ede97c59e87a2766426bf025df48e12c831958fc","parts":[{"path":"src/lock.ts","start_line":1,"end_line":1,"start_char":0,"end_char":19,"chars":19,"sha256":"sha256:0e5d5cd6a1451934b5984840ede97c59e87a2766426bf025df48e12c831958fc"}]},{"id":"c740d019f681fa4bd","path":"src/lock.ts","start_line":2,"end_line":2,"start_char":20,"end_char":31,"chars":11,"sha256":"sha256:fd8863576e9ce76691bae0c9d9c6a5434aae0735a851a2a30e3db3fdae23884b","parts":[{"path":"src/lock.ts","start_line":2,"end_line":2,"start_char":20,"end_char":31,"chars":11,"sha256":"sha256:fd8863576e9ce76691bae0c9d9c6a5434aae0735a851a2a30e3db3fdae23884b"}]},{"id":"cbe0855135d533274","path":"src/lock.ts","start_line":3,"end_line":4,"start_char":32,"end_char":50,"chars":18,"sha256":"sha256:91a3aa783aa733e6dcfb6f0f58fcfdf58685d68839a9f9d45d6ee5a6316d093d","parts":[{"path":"src/lock.ts","start_line":3,"end_line":4,"start_char":32,"end_char":50,"chars":18,"sha256":"sha256:91a3aa783aa733e6dcfb6f0f58fcfdf58685d68839a9f9d45d6ee5a6316d093d"}]},{"id":"cdb6c9326f2838e11","path":"src/lock.ts","start_line":5,"end_line":5,"start_char":51,"end_char":71,"chars":20,"sha256":"sha256:6585a9eade13aa118982d42f22b771e788601e15bd018367a5d8c37e15bb1f29","parts":[{"path":"src/lock.ts","start_line":5,"end_line":5,"start_char":51,"end_char":71,"chars":20,"sha256":"sha256:6585a9eade13aa118982d42f22b771e788601e15bd018367a5d8c37e15bb1f29"}]},{"id":"c93fa8e792b63c16c","path":"src/lock.ts","start_line":5,"end_line":5,"start_char":71,"end_char":73,"chars":2,"sha256":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","parts":[{"path":"src/lock.ts","start_line":5,"end_line":5,"start_char":71,"end_char":73,"chars":2,"sha256":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}]}],"truncated":false,"metrics":{"bytes_read":74,"files_scanned":1}}',
  ],
  [
    'chunks',
    { max: 1, max_chars: 60 },
    '{"chunks":[{"id":"cc5cf477d78b6862e","chars":20,"parts":[{"path":"README.md","start_line":1,"end_line":2,"start_char":0,"end_char":12,"chars":12,"sha256":"sha256:4176cefcdeca924e25a86fdb0f73fd32b044e99948820858fa2f094abe330cbe"},{"path":"noext","start_line":1,"end_line":1,"start_char":0,"end_char":8,"chars":8,"sha256":"sha256:b1c1f317cbf8a1c758a0e724b2efc670ee0f016fc3b48a2bf3629a2543559a30"}]}],"truncated":true,"skipped_binary":1,"next_cursor":"WyI0YzI4ODk3ZjY2YTA5ZDNlIixbInNyYy9kZWVwL2xvY2tfdGVzdC5nbyIsNCwwXV0","metrics":{"bytes_read":146,"files_scanned":6}}',
  ],
  [
    'chunks',
    { max_files: 2 },
    '{"chunks":[{"id":"c3b47bea232e2f2b8","path":"README.md","start_line":1,"end_line":2,"start_char":0,"end_char":12,"chars":12,"sha256":"sha256:4176cefcdeca924e25a86fdb0f73fd32b044e99948820858fa2f094abe330cbe","parts":[{"path":"README.md","start_line":1,"end_line":2,"start_char":0,"end_char":12,"chars":12,"sha256":"sha256:4176cefcdeca924e25a86fdb0f73fd32b044e99948820858fa2f094abe330cbe"}]}],"truncated":false,"scan_limited":true,"metrics":{"bytes_read":13,"files_scanned":2}}',
  ],
  [
    'symbols',
    { path: 'src/lock.ts' },
    '{"path":"src/lock.ts","symbols":[{"kind":"class","name":"Lock","line":1},{"kind":"method","name":"renewLock","line":3},{"kind":"function","name":"lockFile","line":5}],"truncated":false,"metrics":{"bytes_read":74,"files_scanned":1,"symbols":3}}',
  ],
  [
    'symbols',
    { path: 'src/lock.ts', detail: 'all' },
    '{"path":"src/lock.ts","symbols":[{"kind":"class","name":"Lock","line":1},{"kind":"field","name":"owner","line":2},{"kind":"method","name":"renewLock","line":3},{"kind":"function","name":"lockFile","line":5}],"truncated":false,"metrics":{"bytes_read":74,"files_scanned":1,"symbols":4}}',
  ],
  [
    'symbols',
    { path: 'src/lock.ts', max_symbols: 3 },
    '{"path":"src/lock.ts","symbols":[{"kind":"class","name":"Lock","line":1},{"kind":"method","name":"renewLock","line":3},{"kind":"function","name":"lockFile","line":5}],"truncated":true,"metrics":{"bytes_read":74,"files_scanned":1,"symbols":3}}',
  ],
  [
    'symbols',
    { path: 'src/lock.ts', max_symbols: 2 },
    '{"path":"src/lock.ts","symbols":[{"kind":"class","name":"Lock","line":1},{"kind":"method","name":"renewLock","line":3}],"truncated":true,"metrics":{"bytes_read":74,"files_scanned":1,"symbols":2}}',
  ],
  [
    'treeSymbols',
    { name: 'lockFile' },
    '{"symbols":[{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":133,"files_scanned":3,"symbols":1}}',
  ],
  [
    'treeSymbols',
    { name: 'lockFile', include_hidden: true },
    '{"symbols":[{"path":".hidden/secret.ts","kind":"function","name":"lockFile","line":1},{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5}],"truncated":false,"excluded":{"folders":1,"files":0,"by":["node_modules"]},"metrics":{"bytes_read":156,"files_scanned":4,"symbols":2}}',
  ],
  [
    'treeSymbols',
    { name: 'lock', match: 'prefix' },
    '{"symbols":[{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":133,"files_scanned":3,"symbols":1}}',
  ],
  [
    'treeSymbols',
    { name: 'lock', match: 'fuzzy' },
    '{"symbols":[{"path":"src/lock.ts","kind":"class","name":"Lock","line":1},{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5},{"path":"src/deep/lock_test.go","kind":"func","name":"TestLock","line":3},{"path":"src/lock.ts","kind":"method","name":"renewLock","line":3}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6,"symbols":4}}',
  ],
  [
    'treeSymbols',
    { name: 'lock', match: 'fuzzy', max_symbols: 2 },
    '{"symbols":[{"path":"src/lock.ts","kind":"class","name":"Lock","line":1},{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5}],"truncated":true,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"next_cursor":"WyJlOGI1Y2ZjNzZjZDkxZDNjIiwyXQ","metrics":{"bytes_read":149,"files_scanned":6,"symbols":2}}',
  ],
  [
    'treeSymbols',
    { name: 'owner', detail: 'all' },
    '{"symbols":[{"path":"src/lock.ts","kind":"field","name":"owner","line":2}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":74,"files_scanned":1,"symbols":1}}',
  ],
  [
    'treeSymbols',
    { name: 'owner' },
    '{"symbols":[],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":74,"files_scanned":1,"symbols":0}}',
  ],
  [
    'treeSymbols',
    { glob: '**/*.go' },
    '{"symbols":[{"path":"src/deep/lock_test.go","kind":"func","name":"TestLock","line":3}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":50,"files_scanned":1,"symbols":1}}',
  ],
  [
    'treeSymbols',
    { glob: '**', max_files: 4 },
    '{"symbols":[],"truncated":false,"scan_limited":true,"metrics":{"bytes_read":25,"files_scanned":4,"symbols":0}}',
  ],
  [
    'treeSymbols',
    { glob: '**', max_files: 6 },
    '{"symbols":[{"path":"src/deep/lock_test.go","kind":"func","name":"TestLock","line":3},{"path":"src/lock.ts","kind":"class","name":"Lock","line":1},{"path":"src/lock.ts","kind":"method","name":"renewLock","line":3},{"path":"src/lock.ts","kind":"function","name":"lockFile","line":5}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6,"symbols":4}}',
  ],
  [
    'treeSymbols',
    { name: 'lockFile', max_files: 5 },
    '{"symbols":[],"truncated":false,"scan_limited":true,"metrics":{"bytes_read":59,"files_scanned":2,"symbols":0}}',
  ],
  [
    'references',
    { name: 'lockFile' },
    '{"references":[{"path":"noext","line":1,"kind":"other","text":"lockFile"},{"path":"src/deep/lock_test.go","line":3,"kind":"call","text":"func TestLock(t int) { lockFile() }"},{"path":"src/lock.ts","line":5,"kind":"definition","text":"function lockFile() {}"}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6,"references":3}}',
  ],
  [
    'references',
    { name: 'lockFile', max: 1 },
    '{"references":[{"path":"noext","line":1,"kind":"other","text":"lockFile"}],"truncated":true,"next_cursor":"WyI2OTFjMjczODUyY2VkYzY4IiwxXQ","metrics":{"bytes_read":75,"files_scanned":5,"references":1}}',
  ],
  [
    'references',
    { name: 'lockFile', max: 3 },
    '{"references":[{"path":"noext","line":1,"kind":"other","text":"lockFile"},{"path":"src/deep/lock_test.go","line":3,"kind":"call","text":"func TestLock(t int) { lockFile() }"},{"path":"src/lock.ts","line":5,"kind":"definition","text":"function lockFile() {}"}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":149,"files_scanned":6,"references":3}}',
  ],
  [
    'references',
    { name: 'lockFile', glob: '**/*.go' },
    '{"references":[{"path":"src/deep/lock_test.go","line":3,"kind":"call","text":"func TestLock(t int) { lockFile() }"}],"truncated":false,"excluded":{"folders":2,"files":0,"by":["hidden","node_modules"]},"metrics":{"bytes_read":50,"files_scanned":1,"references":1}}',
  ],
  [
    'readMany',
    { reads: [{ path: 'README.md' }, { path: 'missing' }, { path: 'empty.txt' }] },
    '{"results":[{"ok":true,"result":{"path":"README.md","start_line":1,"end_line":1,"total_lines":2,"truncated":false,"text":"# Title","metrics":{"bytes_read":13,"files_scanned":1,"lines_returned":1}}},{"ok":false,"error":{"message":"[Errno 2] No such file or directory: \'missing\'"}},{"ok":true,"result":{"path":"empty.txt","start_line":1,"end_line":0,"total_lines":0,"truncated":false,"text":"","metrics":{"bytes_read":0,"files_scanned":1,"lines_returned":0}}}],"truncated":false,"metrics":{"bytes_read":13,"files_scanned":2,"lines_returned":1}}',
  ],
  [
    'readMany',
    {
      reads: [
        { path: 'src/lock.ts', end_line: 3 },
        { path: 'README.md', end_line: 2 },
      ],
      max_total_lines: 4,
    },
    '{"results":[{"ok":true,"result":{"path":"src/lock.ts","start_line":1,"end_line":3,"total_lines":5,"truncated":false,"text":"export class Lock {\\n  owner = 1\\n  renewLock() {}","metrics":{"bytes_read":74,"files_scanned":1,"lines_returned":3}}},{"ok":true,"result":{"path":"README.md","start_line":1,"end_line":1,"total_lines":2,"truncated":true,"text":"# Title","metrics":{"bytes_read":13,"files_scanned":1,"lines_returned":1}}}],"truncated":true,"metrics":{"bytes_read":87,"files_scanned":2,"lines_returned":4}}',
  ],
  [
    'readMany',
    {
      reads: [
        { path: 'src/lock.ts', end_line: 4 },
        { path: 'README.md', end_line: 2 },
      ],
      max_total_lines: 6,
    },
    '{"results":[{"ok":true,"result":{"path":"src/lock.ts","start_line":1,"end_line":4,"total_lines":5,"truncated":false,"text":"export class Lock {\\n  owner = 1\\n  renewLock() {}\\n}","metrics":{"bytes_read":74,"files_scanned":1,"lines_returned":4}}},{"ok":true,"result":{"path":"README.md","start_line":1,"end_line":2,"total_lines":2,"truncated":false,"text":"# Title\\ntext","metrics":{"bytes_read":13,"files_scanned":1,"lines_returned":2}}}],"truncated":false,"metrics":{"bytes_read":87,"files_scanned":2,"lines_returned":6}}',
  ],
  [
    'readMany',
    {
      reads: [
        { path: 'README.md', start_line: 2 },
        { path: 'README.md', end_line: 1 },
      ],
      hash: true,
    },
    '{"results":[{"ok":true,"result":{"path":"README.md","start_line":2,"end_line":2,"total_lines":2,"truncated":false,"text":"text","sha256":"sha256:982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1","metrics":{"bytes_read":13,"files_scanned":1,"lines_returned":1}}},{"ok":true,"result":{"path":"README.md","start_line":1,"end_line":1,"total_lines":2,"truncated":false,"text":"# Title","sha256":"sha256:79aeaf7ba450cdab4b13e948c49101b1de4d13e9b45e10e51ee99442c982a7e8","metrics":{"bytes_read":13,"files_scanned":1,"lines_returned":1}}}],"truncated":false,"metrics":{"bytes_read":26,"files_scanned":2,"lines_returned":2}}',
  ],
]

describe('on one tree', () => {
  test.each(rows)('%s with %j has this result', async (name, args, expected) => {
    expect(JSON.stringify(await resultOf(corpusOf(tree(files)), name, args))).toBe(expected)
  })
})

test.each<[Name, object, string]>([
  ['list', { max_chars: 30 }, 'files'],
  ['chunks', { max_chars: 25, max: 2 }, 'chunks'],
  ['chunks', { max_chars: 12, max: 1, max_files: 5 }, 'chunks'],
  ['treeSymbols', { glob: '**', max_symbols: 2 }, 'symbols'],
  ['references', { name: 'lockFile', max: 1 }, 'references'],
])('the pages of %s with %j are together the whole result', async (name, args, field) => {
  const corpus = corpusOf(tree(files))
  const found: unknown[] = []
  let cursor: unknown
  let pages = 0
  do {
    const page = (await resultOf(corpus, name, { ...args, cursor })) as Record<string, unknown>
    found.push(...(page[field] as unknown[]))
    cursor = page.next_cursor
    pages++
    expect(page.truncated).toBe(cursor !== undefined)
  } while (cursor !== undefined)
  const { max: _, max_symbols: __, max_chars: chars, ...rest } = args as Record<string, unknown>
  const whole = name === 'chunks' ? { ...rest, max_chars: chars } : rest
  const all = (await resultOf(corpus, name, whole)) as Record<string, unknown>
  expect(found).toEqual(all[field])
  expect(pages).toBeGreaterThan(1)
})
