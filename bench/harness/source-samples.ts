// A page of source text per language that symbols are extracted from: definitions between
// statements, comments and strings, about as dense as in real code.

export interface SourceSample {
  extension: string
  text: string
}

const body = (indent: string, comment: string, end: string): string =>
  Array.from(
    { length: 12 },
    (_, line) =>
      `${indent}${line % 6 === 0 ? `${comment} step ${line}: keep what was read` : `total = total + weight(${line}, "a text with words")${end}`}\n`,
  ).join('')

const samples: Readonly<Record<string, SourceSample>> = {
  typescript: {
    extension: 'ts',
    text: `/** What is kept. */\nexport interface Kept {\n  name: string\n}\n\nexport async function gather(from: readonly string[]): Promise<Kept> {\n${body('  ', '//', '')}}\n\nexport class Store<T> extends Base {\n  private readonly items: T[] = []\n\n  add(item: T): void {\n${body('    ', '//', '')}  }\n}\n\nconst make = (name: string) => ({ name })\n\n`,
  },
  python: {
    extension: 'py',
    text: `class Store(Base):\n    """What is kept."""\n\n    async def add(self, item):\n${body('        ', '#', '')}\ndef gather(source):\n${body('    ', '#', '')}\n\n`,
  },
  go: {
    extension: 'go',
    text: `// Store keeps things.\ntype Store struct {\n\titems []string\n}\n\nfunc (s *Store) Add(item string) error {\n${body('\t', '//', '')}}\n\nfunc Gather(from []string) int {\n${body('\t', '//', '')}}\n\n`,
  },
  rust: {
    extension: 'rs',
    text: `/// What is kept.\npub struct Store<T> {\n    items: Vec<T>,\n}\n\nimpl<T> Store<T> {\n    pub fn add(&mut self, item: T) {\n${body('        ', '//', ';')}    }\n}\n\npub(crate) async fn gather() -> usize {\n${body('    ', '//', ';')}}\n\n`,
  },
  java: {
    extension: 'java',
    text: `/** What is kept. */\npublic final class Store<T> extends Base {\n    private final List<T> items;\n\n    public void add(T item) throws IOException {\n${body('        ', '//', ';')}    }\n\n    enum Kind { ONE, TWO }\n}\n\n`,
  },
  c: {
    extension: 'c',
    text: `#define LIMIT 10\n\nstruct store {\n    int items;\n};\n\nstatic int gather(const char *from, int count)\n{\n${body('    ', '//', ';')}}\n\n`,
  },
  cpp: {
    extension: 'cpp',
    text: `namespace kept {\n\ntemplate <typename T>\nclass Store : public Base {\n public:\n  void add(const T& item);\n};\n\nvoid Store<int>::add(const int& item) {\n${body('  ', '//', ';')}}\n\n}  // namespace kept\n\n`,
  },
  csharp: {
    extension: 'cs',
    text: `namespace Kept\n{\n    public sealed class Store<T> : Base\n    {\n        public async Task Add(T item)\n        {\n${body('            ', '//', ';')}        }\n    }\n}\n\n`,
  },
  ruby: {
    extension: 'rb',
    text: `module Kept\n  class Store < Base\n    def add(item)\n${body('      ', '#', '')}    end\n  end\nend\n\n`,
  },
  kotlin: {
    extension: 'kt',
    text: `data class Kept(val name: String)\n\nopen class Store<T> : Base() {\n    suspend fun add(item: T) {\n${body('        ', '//', '')}    }\n}\n\n`,
  },
  swift: {
    extension: 'swift',
    text: `public protocol Keeping {}\n\npublic final class Store<T>: Base {\n    func add(_ item: T) throws {\n${body('        ', '//', '')}    }\n}\n\nextension Store {}\n\n`,
  },
  php: {
    extension: 'php',
    text: `<?php\nabstract class Store extends Base\n{\n    public function add(string $item): void\n    {\n${body('        ', '//', ';')}    }\n}\n?>\n`,
  },
  scala: {
    extension: 'scala',
    text: `case class Kept(name: String)\n\nobject Store extends Base {\n  def add[T](item: T): Unit = {\n${body('    ', '//', '')}  }\n}\n\n`,
  },
  shell: {
    extension: 'sh',
    text: `gather() {\n${body('  ', '#', '')}}\n\nfunction keep {\n${body('  ', '#', '')}}\n\n`,
  },
}

export const sampledLanguages: readonly string[] = Object.keys(samples)

export function sampleOf(language: string): SourceSample {
  const sample = samples[language]
  if (sample === undefined) throw new Error(`no sample of ${language}`)
  return sample
}
