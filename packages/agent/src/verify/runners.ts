// The summaries of common test runners, one row each.
import type { Report } from './reports.ts'

interface Runner {
  name: string
  read(text: string): Omit<Report, 'runner'> | undefined
}

const number = (text: string | undefined) => Number(text ?? 0)

/** Adds up the counts of all matches; undefined without a match. */
function sum(
  text: string,
  pattern: RegExp,
  counts: (groups: Record<string, string | undefined>) => {
    passed: number
    failed: number
    skipped?: number
  },
): Omit<Report, 'runner'> | undefined {
  let result: Omit<Report, 'runner'> | undefined
  for (const { groups = {} } of text.matchAll(pattern)) {
    const { passed, failed, skipped = 0 } = counts(groups)
    const before = result ?? { passed: 0, failed: 0, total: 0 }
    result = {
      passed: before.passed + passed,
      failed: before.failed + failed,
      total: before.total + passed + failed + skipped,
    }
  }
  return result
}

const named = (groups: Record<string, string | undefined>) => ({
  passed: number(groups.passed),
  failed: number(groups.failed) + number(groups.errors),
  skipped: number(groups.skipped),
})

export const runners: readonly Runner[] = [
  {
    name: 'vitest',
    read: (text) =>
      sum(
        text,
        /^ *Tests +(?:(?<failed>\d+) failed)?(?: *\| *)?(?:(?<passed>\d+) passed)?(?: *\| *(?<skipped>\d+) (?:skipped|todo))*.*\(\d+\)/gm,
        named,
      ),
  },
  {
    name: 'jest',
    read: (text) =>
      sum(
        text,
        /^Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) skipped, )?(?:\d+ todo, )?(?:(?<passed>\d+) passed, )?\d+ total/gm,
        named,
      ),
  },
  {
    name: 'pytest',
    read: (text) =>
      sum(
        text,
        /^(?:=+ )?(?=.*\d+ (?:passed|failed|error))(?:(?<failed>\d+) failed)?(?:,? ?(?<passed>\d+) passed)?(?:, (?<skipped>\d+) skipped)?(?:, \d+ \w+)*?(?:,? ?(?<errors>\d+) errors?)? in [\d.]+s/gm,
        named,
      ),
  },
  {
    name: 'cargo test',
    read: (text) =>
      sum(
        text,
        /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored/gm,
        named,
      ),
  },
  {
    name: 'node --test',
    read: (text) => {
      const count = (word: string) => {
        const found = new RegExp(`^(?:#|ℹ) ${word} +(\\d+)$`, 'm').exec(text)?.[1]
        return found === undefined ? undefined : Number(found)
      }
      const passed = count('pass')
      if (passed === undefined) return undefined
      const failed = number(String(count('fail') ?? 0)) + (count('cancelled') ?? 0)
      return { passed, failed, total: count('tests') ?? passed + failed }
    },
  },
  {
    name: 'mocha',
    read: (text) => {
      const passed = /^ *(\d+) passing\b/m.exec(text)?.[1]
      const failed = /^ *(\d+) failing\b/m.exec(text)?.[1]
      if (passed === undefined && failed === undefined) return undefined
      const pending = number(/^ *(\d+) pending\b/m.exec(text)?.[1])
      return {
        passed: number(passed),
        failed: number(failed),
        total: number(passed) + number(failed) + pending,
      }
    },
  },
  {
    name: 'go test',
    read: (text) => {
      const count = (pattern: RegExp) => [...text.matchAll(pattern)].length
      const ok = count(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm)
      const failedPackages = count(/^FAIL\s+\S+\s+(?:[\d.]+s|\[)/gm)
      const failed = count(/^[^\S\n]*--- FAIL: /gm)
      const passed = count(/^[^\S\n]*--- PASS: /gm)
      if (ok + failedPackages + failed + passed === 0) return undefined
      const failures = Math.max(failed, failedPackages)
      // Without -v go prints packages, not tests.
      return {
        passed: passed > 0 ? passed : ok,
        failed: failures,
        total: passed > 0 ? passed + failures : 0,
      }
    },
  },
  {
    name: 'unittest',
    read: (text) => {
      const total = /^Ran (\d+) tests? in /m.exec(text)?.[1]
      if (total === undefined) return undefined
      const failed = [
        ...(/^FAILED \((.*)\)$/m.exec(text)?.[1]?.matchAll(/(?:failures|errors)=(\d+)/g) ?? []),
      ].reduce((all, [, count]) => all + Number(count), 0)
      return { passed: Number(total) - failed, failed, total: Number(total) }
    },
  },
  {
    name: 'rspec',
    read: (text) =>
      sum(text, /^(?<total>\d+) examples?, (?<failed>\d+) failures?/gm, (groups) => ({
        passed: number(groups.total) - number(groups.failed),
        failed: number(groups.failed),
      })),
  },
  {
    name: 'phpunit',
    read: (text) =>
      sum(text, /^OK \((?<passed>\d+) tests?, /gm, named) ??
      sum(
        text,
        /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?/gm,
        (groups) => {
          const failed = number(groups.errors) + number(groups.failed)
          return { passed: number(groups.total) - failed, failed }
        },
      ),
  },
  {
    name: 'ctest',
    read: (text) =>
      sum(
        text,
        /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)/gm,
        (groups) => ({
          passed: number(groups.total) - number(groups.failed),
          failed: number(groups.failed),
        }),
      ),
  },
  {
    name: 'maven',
    read: (text) => {
      const found = [...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+)/g)].at(-1)
      if (found === undefined) return undefined
      const [, total, failures, errors] = found
      const failed = number(failures) + number(errors)
      return { passed: number(total) - failed, failed, total: number(total) }
    },
  },
  {
    name: 'dotnet test',
    read: (text) =>
      sum(
        text,
        /Failed: +(?<failed>\d+), Passed: +(?<passed>\d+), Skipped: +(?<skipped>\d+)/g,
        named,
      ),
  },
  {
    name: 'bun test',
    read: (text) => {
      const passed = /^ *(\d+) pass$/m.exec(text)?.[1]
      const failed = /^ *(\d+) fail$/m.exec(text)?.[1]
      if (passed === undefined || failed === undefined) return undefined
      return {
        passed: number(passed),
        failed: number(failed),
        total: number(passed) + number(failed),
      }
    },
  },
  {
    name: 'deno test',
    read: (text) =>
      sum(text, /^(?:ok|FAILED) \| (?<passed>\d+) passed.*?\| (?<failed>\d+) failed/gm, named),
  },
  {
    name: 'playwright',
    read: (text) => {
      const passed = /^ *(\d+) passed \([\d.]+\w+\)/m.exec(text)?.[1]
      if (passed === undefined) return undefined
      const failed = number(/^ *(\d+) failed$/m.exec(text)?.[1])
      return { passed: number(passed), failed, total: number(passed) + failed }
    },
  },
]
