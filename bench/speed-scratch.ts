import { readFileSync, readdirSync, statSync } from 'node:fs'
import { scannerFor } from '/work/main/packages/corpus/src/symbols/languages.ts'
import { SymbolSink } from '/work/main/packages/corpus/src/symbols/sink.ts'
const langs: Record<string, [string[], RegExp]> = {
  typescript: [['/work/main/node_modules', '/work/main/packages'], /\.tsx?$/],
  javascript: [['/work/main/node_modules'], /\.(js|mjs|cjs)$/],
  python: [['/usr/lib/python3.11', '/usr/lib/python3/dist-packages'], /\.py$/],
  go: [['/usr/local/go/src', '/usr/lib/go', '/usr/share/go-1.19'], /\.go$/],
  rust: [['/tmp/symc/rust'], /\.rs$/],
  java: [['/tmp/symc/java'], /\.java$/],
  kotlin: [['/tmp/symc/kotlin'], /\.kt$/],
  c: [['/var/tmp/zee-bench/linux-source-6.1/drivers/net'], /\.c$/],
  ch: [['/var/tmp/zee-bench/linux-source-6.1/include'], /\.h$/],
  cpp: [['/tmp/symc/cpp', '/usr/src/googletest'], /\.(cc|cpp|h)$/],
  csharp: [['/tmp/symc/csharp'], /\.cs$/],
  ruby: [['/tmp/symc/ruby'], /\.rb$/],
  php: [['/tmp/symc/php'], /\.php$/],
  shell: [['/usr/share', '/usr/lib', '/var/tmp/zee-bench/linux-source-6.1/tools'], /\.sh$/],
}
const [lang = '', detail = 'outline', dts = ''] = process.argv.slice(2)
const cpu = () => { const c = process.cpuUsage(); return (c.user + c.system) / 1000 }
let total = 0
const files: [string, Buffer][] = []
function collect(dir: string, re: RegExp): void {
  let list
  try { list = readdirSync(dir, { withFileTypes: true }) } catch { return }
  for (const e of list) {
    if (total > 24e6) return
    const p = dir + '/' + e.name
    if (e.isDirectory()) collect(p, re)
    else if (e.isFile() && re.test(e.name) && !/\.min\./.test(e.name) && (dts !== '' || !/\.d\.[mc]?ts$/.test(e.name)) && statSync(p).size < 1_000_000) { const b = readFileSync(p); files.push([p, b]); total += b.length }
  }
}
const [dirs, re] = langs[lang]!
for (const d of dirs) collect(d, re)
const out: string[] = []
for (const pass of ['cold', 'warm']) {
  let bytes = 0, first = 0, n = 0
  const t = cpu()
  for (const [f, orig] of files) {
    const b = Buffer.from(orig)
    const sink = new SymbolSink(detail as never)
    n += sink.finish(scannerFor(f)(sink, b)).length
    bytes += b.length
    if (first === 0 && bytes > 4e6) first = bytes / 1e3 / (cpu() - t)
  }
  out.push(`${pass} first4MB ${first.toFixed(0)} all ${(bytes / 1e3 / (cpu() - t)).toFixed(0)} MB/s n=${n}`)
}
console.log(lang, detail, (total / 1e6).toFixed(1), 'MB', out.join(' | '))
