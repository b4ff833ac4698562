// Every command reads the files of the original zcl as they are.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zclHere } from '../test/command-here.ts'
import { writeFiles } from '../test/sound-project.ts'
import { upstreamCampaign, upstreamProject, upstreamRun } from '../test/upstream-project.ts'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-upstream-')))
  writeFiles(root, upstreamProject(root))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const zcl = (line: string) => zclHere(line, root, '2026-03-02T00:00:00.000Z')
const json = async (line: string) => JSON.parse((await zcl(line)).out) as Record<string, never>
const attempt = '001-first-title-r1'
const runFolder = `.zcl/runs/${upstreamRun}`
const campaign = `--campaign-id ${upstreamCampaign}`

describe('a run of the original zcl', () => {
  test('is valid in strict mode, with a warning about its absolute path', async () => {
    const { code, out } = await zcl(`validate --strict --json ${upstreamRun}`)
    const { errors, warnings } = JSON.parse(out) as { errors: unknown[]; warnings: object[] }
    expect(errors).toEqual([])
    expect(warnings).toMatchObject([{ path: 'run.report.json' }])
    expect(code).toBe(0)
  })

  test.each([
    `validate --strict ${attempt}`,
    `validate --semantic ${upstreamRun}`,
    `show ${upstreamRun}`,
    `show ${attempt}`,
    `attempt explain ${attempt}`,
    `attempt env ${attempt}`,
    'attempt list --json',
    'attempt latest',
    'runs',
    `stats ${upstreamRun}`,
    `compare ${upstreamRun} ${upstreamRun}`,
    `expect --strict ${upstreamRun}`,
    `replay ${attempt}`,
    ...['otlp-json', 'atif', 'junit', 'csv', 'jsonl', 'inspect'].map(
      (format) => `export --format ${format} --out out.export ${upstreamRun}`,
    ),
    `view ${runFolder}`,
    `view ${runFolder}/attempts/${attempt}`,
    `view ${runFolder} ${runFolder}`,
    `report --strict ${attempt}`,
    `report --strict ${upstreamRun}`,
    `attempt finish --strict --strict-expect ${attempt}`,
    `pin --run-id ${upstreamRun} --on`,
    'gc --dry-run',
    'doctor',
  ])('is read by `zcl %s`', async (line) => {
    const { code, err } = await zcl(line)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('counts native events as calls and keeps its native result', async () => {
    const report = await json(`report --json ${attempt}`)
    expect(report).toMatchObject({
      nativeResult: { resultSource: 'phase_final_answer' },
      metrics: { toolCallsByTool: { cli: 1, mcp: 1, native: 4 } },
      artifacts: { attemptRuntimeEnvJson: 'attempt.runtime.env.json' },
    })
  })
})

describe('a campaign of the original zcl', () => {
  test('has its status, its report and its check for publication', async () => {
    expect(await json(`campaign status ${campaign} --json`)).toMatchObject({
      ...{ status: 'valid', attempts: { planned: 4, done: 4 } },
      ...{ missionsTotal: 2, missionsDone: 2 },
    })
    expect(await json(`campaign report ${campaign} --json`)).toMatchObject({
      summary: { verifiedOk: 4, missing: 0 },
    })
    expect(await zcl(`campaign publish-check ${campaign}`)).toMatchObject({ code: 0, err: '' })
  })

  test('offers its mission.prompts.json as a source of missions', async () => {
    expect(await json('campaign lint --spec campaign.json --json')).toMatchObject({
      missions: ['first-title', 'second-title'],
    })
    expect(await zcl('mission prompts build --spec campaign.json')).toMatchObject({ code: 0 })
    const folder = path.join(root, '.zcl/campaigns/again')
    expect(readFileSync(path.join(folder, 'prompts/hinted/first-title.md'), 'utf8')).toBe(
      'hinted: report first-title',
    )
    const built = readFileSync(path.join(folder, 'mission.prompts.json'), 'utf8')
    expect(JSON.parse(built)).toMatchObject({ campaignId: 'again', prompts: { length: 4 } })
  })
})
