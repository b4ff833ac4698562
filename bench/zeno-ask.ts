// `zeno ask` with a model that answers by rules: how many sub-calls are repeated over consecutive commits of a real
// repository, and whether questions over more text than any window are answered right. ZENO_BENCH_COMMITS is the number
// of commits (100).
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Case } from './harness/case.ts'
import { git } from './harness/commit-questions.ts'
import { startOracle } from './harness/oracle-model.ts'
import type { Oracle } from './harness/oracle-model.ts'
import { repositoryOf, storeRepository } from './harness/zeno-server.ts'

export const cases: readonly Case[] = [reuseCase(), recordsCase()]

async function measureOnce(
  scratch: string,
  measure: (scratch: string) => Promise<number>,
): Promise<void> {
  storeRepository(scratch)
  writeFileSync(path.join(scratch, 'percent'), String(await measure(scratch)))
}

function measuredPercent(scratch: string): number {
  return Number(readFileSync(path.join(scratch, 'percent'), 'utf8'))
}

const exported = /^export (?:async )?function (open\w*)/

/** Lists the exported functions whose names start with `open`. */
const listFunctions: Oracle = {
  sub: (_, lines) =>
    lines
      .flatMap(({ path: file, number, text }) => {
        const name = exported.exec(text)?.[1]
        return name === undefined ? [] : [`${name} ${file}:${number}`]
      })
      .join('\n') || 'NONE',
  root: (_, results) => {
    const [result] = results
    if (result === undefined) {
      return { map: 'Which exported functions start with open?', glob: '**/*.ts' }
    }
    const found = [...result.matchAll(/^(open\w*) (\S+)$/gm)].map(([, name, at]) => `${name} ${at}`)
    const numbers = [...result.matchAll(/\[(E\d+)\]/g)].map(([, id]) => id)
    const [chunks] = /\d+ chunks/.exec(result) ?? []
    return `The functions in ${chunks} are ${found.sort().join(', ')} [${numbers.join(', ')}].`
  },
}

function reuseCase(): Case {
  return {
    name: 'reuse',
    question:
      'how many sub-calls of `zeno ask` are repeated after a commit, over 100 commits of this repository?',
    repetitions: 1,
    // Measured once, before the harness runs its rounds.
    prepare: (scratch) => measureOnce(scratch, measureReuse),
    variants: [
      { name: 'a fresh run', unit: '% of sub-calls', run: () => 100 },
      { name: 'after a commit', unit: '% of sub-calls', run: measuredPercent },
    ],
    goals: [{ variant: 'after a commit', figure: 'amount', atMost: 5 }],
  }
}

async function measureReuse(scratch: string): Promise<number> {
  const repository = repositoryOf(scratch)
  const tree = path.join(scratch, 'tree')
  git(repository, ['clone', '--quiet', '--shared', '--no-checkout', repository, tree])
  const count = Number(process.env.ZENO_BENCH_COMMITS ?? 100)
  const commits = git(repository, [
    'rev-list',
    '--first-parent',
    `--max-count=${count + 1}`,
    'HEAD',
  ])
  const oracle = await startOracle(listFunctions)
  const shares: number[] = []
  try {
    for (const [index, commit] of commits.trim().split('\n').reverse().entries()) {
      git(tree, ['checkout', '--quiet', '--force', '--detach', commit])
      const before = oracle.subCalls()
      const question = { text: 'Which functions open something?', tree, env: oracle.env }
      const answer = await ask(scratch, question)
      const chunks = Number(/(\d+) chunks/.exec(answer)?.[1])
      if (index > 0) shares.push((oracle.subCalls() - before) / chunks)
      const fresh = await ask(scratch, { ...question, isFresh: true })
      if (fresh !== answer) throw new Error(`${commit} has another answer in a fresh run`)
    }
  } finally {
    oracle.close()
    rmSync(tree, { recursive: true, force: true })
  }
  const sorted = shares.toSorted((a, b) => a - b)
  const percent = (share = 0): string => `${(share * 100).toFixed(1)} %`
  console.log(`median ${percent(sorted[sorted.length >> 1])}, most ${percent(sorted.at(-1))}`)
  return (shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100
}

const countries = ['at', 'be', 'ch', 'de', 'es', 'fi', 'gr', 'hu', 'ie', 'lt']

interface Records {
  text: string
  /** Cents of all orders of the users in a country. */
  totals: Map<string, number>
}

/** 5 MB: 4,000 users and their orders, in an order that separates a user from the orders. */
function generateRecords(): Records {
  const totals = new Map<string, number>()
  const lines: string[] = []
  const countryOf = (user: number): string => countries[((user * 7) % 97) % countries.length] ?? ''
  for (let user = 0; user < 4000; user++) {
    lines.push(JSON.stringify({ user, country: countryOf(user), note: 'x'.repeat(40) }))
  }
  for (let order = 0; order < 50_000; order++) {
    const user = (order * 7919) % 4000
    const cents = (order * 31) % 9973
    const country = countryOf(user)
    totals.set(country, (totals.get(country) ?? 0) + cents)
    lines.push(JSON.stringify({ order, buyer: user, cents, note: 'y'.repeat(40) }))
  }
  return { text: `${lines.join('\n')}\n`, totals }
}

/** Joins: the first map finds the users of a country, the second adds up their orders. */
const joinOrders: Oracle = {
  sub: (question, lines) => {
    const records = lines.map(({ text }) => JSON.parse(text) as Record<string, unknown>)
    const [, country] = /users of ([a-z]{2})\b/.exec(question) ?? []
    if (country !== undefined) {
      const users = records.filter((record) => record.country === country)
      return users.length === 0 ? 'NONE' : `users ${users.map(({ user }) => user).join(' ')}`
    }
    const buyers = new Set(/buyers: ([\d ]+)/.exec(question)?.[1]?.split(' ').map(Number))
    const orders = records.filter(({ buyer }) => buyers.has(buyer as number))
    const sum = orders.reduce((total, { cents }) => total + (cents as number), 0)
    return orders.length === 0 ? 'NONE' : `sum ${sum}`
  },
  root: (question, results) => {
    const country = /country ([a-z]{2})\b/.exec(question)?.[1] ?? ''
    const [users, orders] = results
    if (users === undefined) return { map: `List the users of ${country}.`, glob: '**/*' }
    if (orders === undefined) {
      const ids = [...users.matchAll(/^users ([\d ]+)$/gm)].map(([, list]) => list).join(' ')
      return { map: `Add up the cents of these buyers: ${ids}`, glob: '**/*' }
    }
    const sums = [...orders.matchAll(/^sum (\d+)$/gm)].map(([, sum]) => Number(sum))
    const id = /\[(E\d+)\]/.exec(orders)?.[1] ?? ''
    return `Total: ${sums.reduce((total, sum) => total + sum, 0)} [${id}].`
  },
}

function recordsCase(): Case {
  return {
    name: 'records',
    question: 'how many of 10 joins over 5 MB of generated records does `zeno ask` answer right?',
    repetitions: 1,
    prepare: (scratch) => measureOnce(scratch, measureRecords),
    variants: [{ name: 'right', unit: '% of answers', run: measuredPercent }],
    goals: [{ variant: 'right', figure: 'amount', atLeast: 100 }],
  }
}

async function measureRecords(scratch: string): Promise<number> {
  const { text: records, totals } = generateRecords()
  const tree = path.join(scratch, 'records')
  mkdirSync(tree, { recursive: true })
  writeFileSync(path.join(tree, 'records.jsonl'), records)
  const oracle = await startOracle(joinOrders)
  let right = 0
  try {
    for (const country of countries) {
      const text = `What did buyers from the country ${country} spend?`
      const answer = await ask(scratch, { text, tree, env: oracle.env })
      if (answer.startsWith(`Total: ${totals.get(country)} [`)) right++
    }
  } finally {
    oracle.close()
  }
  console.log(`${(records.length / 1e6).toFixed(1)} MB, ${oracle.subCalls()} sub-calls`)
  return (right / countries.length) * 100
}

interface Question {
  text: string
  tree: string
  env: Record<string, string>
  isFresh?: boolean
}

/** The verified answer of `zeno ask`. */
async function ask(scratch: string, { text, tree, env, isFresh }: Question): Promise<string> {
  const zeno = path.join(repositoryOf(scratch), 'packages/zeno/bin/zeno.cjs')
  const log = path.join(scratch, 'ask.jsonl')
  rmSync(log, { force: true })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[zeno, 'ask', text, '--root', tree, '--log', log, '--json', '--quiet'],
      ...['--provider', 'anthropic', '--model', 'root', '--sub-model', 'sub'],
      ...['--budget', 'calls=2000,time=600'],
      ...(isFresh === true ? ['--fresh'] : []),
    ],
    { env: { ...process.env, ...env, XDG_CACHE_HOME: path.join(scratch, 'cache') } },
  )
  const answer = JSON.parse(stdout) as { status: string; text: string }
  if (answer.status !== 'verified') throw new Error(`the answer is ${answer.status}: ${stdout}`)
  return answer.text
}
